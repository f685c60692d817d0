import { parseTypedId } from '@emojid/sdk'
import { verifyProof } from '@emojid/sdk/verify'
import { loadCategories } from '../categories.ts'
import type { Command } from '../command.ts'
import { money } from '../output.ts'

export const lookup: Command = {
  name: 'lookup',
  about: 'Show the records of an id',
  parameters: ['<id>'],
  details:
    'The id in emojis, by its name (fire.snake) or by its DNS label (xn--4n8hpr), here and in every other command about an existing id.',
  options: {
    tag: { type: 'string', value: 'category', about: 'only these records: 0x1003, or BTC' },
    verify: { type: 'boolean', about: 'verify the owner’s signature' },
  },
  examples: [
    'emojid lookup 🔥🐍',
    'emojid lookup fire.snake --tag BTC',
    'emojid lookup 🔥🐍 --verify',
  ],
  async run({ client, out }, { parameters: [typedText = ''], text, flag }) {
    const id = parseTypedId(typedText)
    const tagText = text('tag')
    const categories = tagText || !out.isJson ? await loadCategories(client) : undefined
    const tag = tagText && categories?.tagOf(tagText)
    const proof = flag('verify') ? await client.proof(id) : undefined
    const proven_by = proof && verifyProof(proof)
    const { records: all, ...lookup } = proof
      ? { id, records: proof.records.map(({ tag: of, data, hash }) => ({ tag: of, data, hash })) }
      : await client.lookup(id)
    const records = tag ? all.filter((record) => record.tag === tag) : all
    const changes_at = 'changes_at' in lookup ? lookup.changes_at : undefined
    const answer = { ...lookup, records, ...(proven_by ? { proven_by } : {}) }
    out.show(answer, () => [
      out.bold(id),
      ...records.map(
        (one) => `  ${(categories?.nameOf(one.tag) ?? one.tag).padEnd(16)}  ${one.data}`,
      ),
      ...(records.length === 0 ? ['  No matching records.'] : []),
      ...(changes_at ? [`  Payment addresses change on ${changes_at}`] : []),
      ...(proven_by ? [out.good(`  Signed by ${proven_by}`)] : []),
    ])
  },
}

export const search: Command = {
  name: 'search',
  about: 'Show the price of an id and available alternatives',
  parameters: ['<id>'],
  examples: ['emojid search 🔥🐍', 'emojid search rocket.diamond'],
  async run({ client, out }, { parameters: [typedText = ''] }) {
    const result = await client.search(parseTypedId(typedText))
    out.show(result, () => {
      const { emoji_id, availability, price, rhythm_score } = result.result
      const offers = result.alternates.map(
        (one) => `  ${one.emoji_id}  ${one.available ? money(one.price ?? 0) : one.availability}`,
      )
      return [
        `${out.bold(emoji_id)}  ${availability === 'Available' ? out.good(money(price ?? 0)) : availability}`,
        `  Rhythm score ${rhythm_score}`,
        ...(offers.length > 0 ? ['Others:', ...offers] : []),
      ]
    })
  },
}
