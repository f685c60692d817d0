import { type DirectoryRecord, parseTypedId } from '@emojid/sdk'
import { yes } from '../ask.ts'
import { type Categories, loadCategories } from '../categories.ts'
import type { Command, Context } from '../command.ts'
import { UsageError } from '../exit-codes.ts'

type NewRecord = Pick<DirectoryRecord, 'data'> & { tag: string }
type Edit = { id: string; insert: NewRecord[]; remove: DirectoryRecord[]; isAddition?: boolean }

const list: Command = {
  name: 'records',
  about: 'List the records of an id with their hashes',
  parameters: ['<id>'],
  examples: ['emojid records 🔥🐍'],
  async run({ client, out }, { parameters: [typedText = ''] }) {
    const [{ records }, categories] = await Promise.all([
      client.lookup(parseTypedId(typedText)),
      loadCategories(client),
    ])
    await out.list(records, {
      columns: ['category', 'name', 'data', 'hash'],
      row: ({ tag, data, hash }) => [tag, categories.nameOf(tag), data, hash.slice(0, 12)],
      none: 'This id has no records.',
    })
  },
}

const add: Command = {
  name: 'records add',
  about: 'Add a record to one of your ids',
  parameters: ['<id>', '<category>', '<data>'],
  details:
    'Some categories, such as currencies, hold one record: a new record replaces the existing one.',
  options: { yes },
  examples: ['emojid records add 🔥🐍 0x4001 https://example.com/shop --yes'],
  async run(context, { parameters: [typedText = '', category = '', data = ''], flag }) {
    const id = parseTypedId(typedText)
    const categories = await loadCategories(context.client)
    const tag = categories.tagOf(category)
    const { records } = await context.client.lookup(id)
    const pushedOut = categories.isSingle(tag)
      ? records.filter((one) => one.tag === tag && one.data !== data)
      : []
    const change = { id, insert: [{ tag, data }], remove: pushedOut, isAddition: true }
    await edit(context, categories, change, flag('yes'))
  },
}

const set: Command = {
  name: 'records set',
  about: 'Replace all records of a category',
  parameters: ['<id>', '<category>', '<data>'],
  options: { yes },
  examples: ['emojid records set 🔥🐍 BTC 1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa --yes'],
  async run(context, { parameters: [typedText = '', category = '', data = ''], flag }) {
    const id = parseTypedId(typedText)
    const categories = await loadCategories(context.client)
    const tag = categories.tagOf(category)
    const { records } = await context.client.lookup(id)
    const others = records.filter((one) => one.tag === tag && one.data !== data)
    const isKnown = records.some((one) => one.tag === tag && one.data === data)
    const insert = isKnown ? [] : [{ tag, data }]
    await edit(context, categories, { id, insert, remove: others }, flag('yes'))
  },
}

const remove: Command = {
  name: 'records remove',
  about: 'Remove records of one of your ids',
  parameters: ['<id>', '<category or hash>', '[data]'],
  details:
    'A hash may be shortened to its first 8 digits or more. With data, only that record of the category is removed.',
  options: { yes },
  examples: ['emojid records remove 🔥🐍 0x4001 --yes'],
  async run(context, { parameters: [typedText = '', selector = '', data], flag }) {
    const id = parseTypedId(typedText)
    const categories = await loadCategories(context.client)
    const { records } = await context.client.lookup(id)
    const isHash = /^[0-9a-f]{8,64}$/i.test(selector)
    const tag = isHash ? undefined : categories.tagOf(selector)
    const chosenRecords = records.filter(
      (one) =>
        (tag ? one.tag === tag : one.hash.startsWith(selector.toLowerCase())) &&
        (data === undefined || one.data === data),
    )
    if (chosenRecords.length === 0) throw new UsageError(`${id} has no such record.`)
    await edit(context, categories, { id, insert: [], remove: chosenRecords }, flag('yes'))
  },
}

/** Shows the difference before the change. */
async function edit(
  { call, client: reader, ask, out }: Context,
  categories: Categories,
  { id, insert, remove: removedRecords, isAddition }: Edit,
  isAgreed: boolean,
): Promise<void> {
  const answer = {
    id,
    added: insert,
    removed: removedRecords.map(({ tag, data }) => ({ tag, data })),
  }
  if (insert.length + removedRecords.length === 0) {
    return out.show({ ...answer, changed: false }, () => 'Nothing to change.')
  }
  const line = (sign: string, { tag, data }: NewRecord) =>
    `  ${sign} ${categories.nameOf(tag)}  ${data}`
  // The person who is asked sees it on standard error if the output is JSON.
  const tell = out.isJson && !isAgreed ? out.note : out.say
  tell(out.bold(id))
  for (const record of removedRecords) tell(out.bad(line('-', record)))
  for (const record of insert) tell(out.good(line('+', record)))
  if (!isAgreed && !(await ask.agrees('Change the records?'))) {
    return out.show({ ...answer, changed: false }, () => 'Nothing was changed.')
  }
  const hashes = removedRecords.map(({ hash }) => hash)
  const changedTags = await call((client) =>
    client.api.ownIds.editEmojiId({
      path: { emoji_id: id },
      body: { insert, delete: hashes, ...(isAddition ? {} : { bypass_single_restrictions: true }) },
    }),
  )
  const { changes_at } = changedTags.length === 0 ? await reader.lookup(id) : {}
  if (changes_at === undefined) return out.show({ ...answer, changed: true }, () => 'Done.')
  out.show(
    { ...answer, changed: false, changes_at },
    () => `The delay lock applies: payment addresses change on ${changes_at}.`,
  )
}

export const recordCommands = [list, set, add, remove]
