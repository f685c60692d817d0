import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { dayMs } from '../../src/platform/time.ts'
import { at, grant, newId, proofOf, recordsOf, type StoredRecord } from '../support/ids.ts'
import {
  type MailedService,
  newcomer,
  type Person,
  press,
  register,
  registerAs,
} from '../support/people.ts'
import { isSigned, rootFrom, rootOver, textHash } from '../support/schnorr.ts'
import { sharedMailedService } from '../support/shared-service.ts'

let service: MailedService
let admin: Person
beforeAll(async () => {
  service = await sharedMailedService()
  admin = await registerAs(service, 'Admin')
})

const bitcoin = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'
const otherBitcoin = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
const monero =
  '4AdUndXHHZ6cfufTMvppY6JwXNouMBzSkbLYfpAV5Usx3skxNgYeYTRj5UzqtReoS44qo9mtmXCqY45DJ852K5Jv2684Rge'
type Version = { version: number; changed_at: string }
type LoadAnswer = { extended_list: object[] }

const owner = async () => {
  const someone = await register(service, { password: null })
  // Mails overtake each other: waits until the confirmation mail is the first.
  await service.mailTo(someone.email)
  return { ...someone, emoji_id: await grant(admin, { user_id: someone.id }) }
}
const insert = (by: Pick<Person, 'patch'>, id: string, ...records: [tag: string, data: string][]) =>
  by.patch(at(id), { insert: records.map(([tag, data]) => ({ tag, data })) })
const dataOf = async (id: string) => (await recordsOf(service, id)).map(({ data }) => data)
const historyOf = async (id: string) =>
  (await service.get(at(id, '/history'))).json<Version[]>().map(({ version }) => version)

describe('an id that an administrator grants', () => {
  it('an id that an administrator grants is visible to its owner as typed, and not to other users', async () => {
    const [anna, bert] = [await newcomer(service), await newcomer(service)]
    const grantAnswer = await admin.post('/api/admin/emoji_ids', {
      emoji_id: '👋🏽🌴🦀🦀',
      user_id: anna.id,
    })
    expect(grantAnswer.status).toBe(200)
    const item = { canonical_format: '👋🌴🦀🦀', display_format: '👋🏽🌴🦀🦀', token_id: null }
    expect(grantAnswer.json()).toMatchObject(item)

    expect((await anna.get('/api/emoji_id')).json()).toEqual(['👋🏽🌴🦀🦀'])
    expect((await anna.get('/api/emoji_id/extended')).json()).toEqual([grantAnswer.json()])
    const loaded = (await anna.get('/api/account/load')).json<LoadAnswer>()
    expect(loaded.extended_list).toEqual([grantAnswer.json()])
    expect((await admin.get(`/api/emoji_id?user_id=${anna.id}`)).json()).toEqual(['👋🏽🌴🦀🦀'])

    expect((await bert.get('/api/emoji_id')).json()).toEqual([])
    expect((await bert.get('/api/emoji_id/extended')).json()).toEqual([])
    expect((await bert.get('/api/account/load')).json<LoadAnswer>().extended_list).toEqual([])
  })

  it('an id that an administrator grants was unknown before, and can be looked up immediately', async () => {
    const [{ id: user_id }, emoji_id] = [await newcomer(service), newId()]
    expect((await service.get(at(emoji_id))).status).toBe(404)
    await grant(admin, { user_id }, emoji_id)
    expect(await recordsOf(service, emoji_id)).toEqual([])

    const secondAnswer = await admin.post('/api/admin/emoji_ids', { emoji_id, user_id: admin.id })
    expect(secondAnswer.status).toBe(422)
    expect(secondAnswer.json()).toMatchObject({ code: 'taken' })
    expect((await admin.get('/api/emoji_id')).json()).toEqual([])
  })
})

describe('the owner of an id', () => {
  it('edits it and looks it up immediately: each response is the newest', async () => {
    const { emoji_id, ...anna } = await owner()
    await service.get(at(emoji_id))
    const answer = await insert(anna, emoji_id, ['0x1003', bitcoin], ['0x0005', 'Anna 🐙'])
    expect([answer.status, answer.json()]).toEqual([200, [emoji_id]])

    const both = await recordsOf(service, emoji_id)
    expect(both.map(({ tag, data }) => [tag, data])).toEqual([
      ['0x1003', bitcoin],
      ['0x0005', 'Anna 🐙'],
    ])
    expect(both.map(({ hash }) => hash)).toEqual([
      textHash(0x1003, bitcoin),
      textHash(0x0005, 'Anna 🐙'),
    ])

    await anna.patch(at(emoji_id), { delete: [both[1]?.hash], insert: [] })
    expect(await recordsOf(service, emoji_id)).toEqual(both.slice(0, 1))
    const paymentResult = (await service.get(at(emoji_id, '/payment'))).json<{ result: object }>()
      .result
    expect(paymentResult).toMatchObject({ '0x1003': { address: bitcoin } })
  })

  it('the owner of an id gets a proof whose root, path and signature a second implementation verifies', async () => {
    const { emoji_id, ...anna } = await owner()
    const own = (await anna.get('/api/pubkeys')).json<string[]>()
    for (const record of [
      ['0x1003', bitcoin],
      ['0x1001', monero],
      ['0x5001', 'a text'],
    ] as [string, string][]) {
      expect((await insert(anna, emoji_id, record)).status).toBe(200)
      const proof = await proofOf(service, emoji_id)
      const hashes = proof.records.map(({ tag, data }) => textHash(Number(tag), data))

      expect(proof.records.map(({ hash }) => hash)).toEqual(hashes)
      expect(proof.merkle_root).toBe(rootOver(hashes))
      for (const { hash, proof: steps } of proof.records) {
        expect(rootFrom(hash, steps)).toBe(proof.merkle_root)
      }
      expect([proof.domain, proof.message]).toEqual([
        'emojid/records/v1',
        `${emoji_id} ${proof.merkle_root}`,
      ])
      const { signature, pubkey } = proof
      if (!signature || !pubkey) throw new Error('There is no signature.')
      expect(own).toEqual([pubkey])
      expect(signature.signer).toBe(pubkey)
      expect(isSigned(pubkey, proof.domain, proof.message, signature)).toBe(true)
      expect(isSigned(pubkey, 'emojid/pubkey-proof/v1', proof.message, signature)).toBe(false)
      expect(isSigned(pubkey, proof.domain, `🦀 ${proof.merkle_root}`, signature)).toBe(false)
    }
  })

  it('sees when it changed and how often it was looked up, without past values', async () => {
    const { emoji_id, ...anna } = await owner()
    expect(await historyOf(emoji_id)).toEqual([])
    await insert(anna, emoji_id, ['0x1003', bitcoin])
    await insert(anna, emoji_id, ['0x1003', otherBitcoin])
    const history = await service.get(at(emoji_id, '/history'))
    const [newest, oldest] = history.json<Version[]>()
    expect(history.json()).toHaveLength(2)
    expect(Number(newest?.version)).toBeGreaterThan(Number(oldest?.version))
    expect(Object.keys(newest ?? {}).sort()).toEqual(['changed_at', 'version'])
    expect((await proofOf(service, emoji_id)).version).toBe(newest?.version)

    expect((await service.get(at(emoji_id, '/stats'))).status).toBe(401)
    expect((await anna.get(at(emoji_id, '/stats'))).json()).toMatchObject({
      emoji_id,
      metrics: [
        { metric: 'api_emoji_lookups', key: emoji_id, value: 0 },
        { metric: 'api_emoji_lookups_today', key: emoji_id },
      ],
    })
  })
})

describe('a changed address', () => {
  it('a changed address is emailed to its owner, who restores it from the email', async () => {
    const { emoji_id, ...anna } = await owner()
    await insert(anna, emoji_id, ['0x0005', 'Anna'])
    await insert(anna, emoji_id, ['0x1003', bitcoin])
    await insert(anna, emoji_id, ['0x5001', 'no address'])
    await service.mailTo(anna.email, 2)
    const before = await recordsOf(service, emoji_id)
    await insert(anna, emoji_id, ['0x1003', otherBitcoin])

    const mail = await service.mailTo(anna.email, 3)
    for (const words of [emoji_id, bitcoin, otherBitcoin, 'from your account']) {
      expect(mail?.text).toContain(words)
    }
    const page = await press(service, await service.linkTo(anna.email, 3))
    expect(page.status).toBe(200)
    // The restored address is back at its place.
    expect(await recordsOf(service, emoji_id)).toEqual(before)
    expect(await historyOf(emoji_id)).toHaveLength(5)
    const { merkle_root, message, domain, pubkey, signature } = await proofOf(service, emoji_id)
    expect(merkle_root).toBe(rootOver(before.map(({ hash }) => hash)))
    expect(signature && isSigned(`${pubkey}`, domain, message, signature)).toBe(true)

    await service.settle()
    const undoMails = service
      .mailsTo(anna.email)
      .filter(({ text }) => text?.includes('undo_change'))
    expect(undoMails).toHaveLength(2)
  })
})

describe('a released id', () => {
  const releases: [string, (owner: Person, id: string) => Promise<{ status: number }>][] = [
    ['by its owner', (anna, id) => anna.delete(at(id))],
    [
      'by an administrator',
      (_, id) => admin.delete(at(id).replace('/emoji_id/', '/admin/emoji_ids/')),
    ],
  ]

  it.each(releases)('%s is empty immediately and for its next owner (T119)', async (_, release) => {
    const { emoji_id, ...anna } = await owner()
    await insert(anna, emoji_id, ['0x1003', bitcoin], ['0x0006', emoji_id])
    await anna.post(at(emoji_id, '/json/SvcPageData'), { data: { title: 'Anna' } })
    await anna.post(at(emoji_id, '/json/SvcLinkData'), {
      data: { a: 'https://a.example/' },
      linked_tags: [{ tag: '0x5001', data: 'linked' }],
    })
    const [version = 0] = await historyOf(emoji_id)
    const { etag = '' } = Object.fromEntries((await service.get(at(emoji_id))).headers)

    expect((await release(anna, emoji_id)).status).toBe(200)
    const rest = ['', '/BTC', '/payment', '/proof', '/history', '/json/SvcPageData']
    for (const path of rest) expect((await service.get(at(emoji_id, path))).status).toBe(404)
    const conditional = { headers: { 'if-none-match': etag } }
    expect((await service.get(at(emoji_id), conditional)).status).toBe(404)
    expect((await anna.get('/api/emoji_id')).json()).toEqual([])
    expect((await insert(anna, emoji_id, ['0x0005', 'x'])).status).toBe(404)
    expect((await anna.delete(at(emoji_id))).status).toBe(404)

    const bert = await newcomer(service)
    await grant(admin, { user_id: bert.id }, emoji_id)
    expect(await dataOf(emoji_id)).toEqual([])
    expect((await service.get(at(emoji_id), conditional)).status).toBe(200)
    expect(await historyOf(emoji_id)).toEqual([])
    expect(await proofOf(service, emoji_id)).toMatchObject({ signature: null, records: [] })
    const entries = await service.get(at(emoji_id, '/json?keys=SvcPageData,SvcLinkData'))
    for (const entry of Object.values(entries.json())) expect(entry).toMatchObject({ data: {} })
    for (const write of [
      insert(anna, emoji_id, ['0x0005', 'x']),
      anna.post(at(emoji_id, '/json/SvcPageData'), { data: 1 }),
      anna.delete(at(emoji_id)),
    ]) {
      expect((await write).status).toBe(403)
    }
    await insert(bert, emoji_id, ['0x0005', 'Bert'])
    expect(await dataOf(emoji_id)).toEqual(['Bert'])
    expect((await historyOf(emoji_id))[0]).toBeGreaterThan(version)
    // An email to the former owner has no effect on it.
    const undoneAnswer = await press(service, await service.linkTo(anna.email, 2))
    expect(undoneAnswer.status).toBe(422)
    expect(await dataOf(emoji_id)).toEqual(['Bert'])
  })

  it('lets its owner delete the account', async () => {
    const { emoji_id, ...anna } = await owner()
    const records: StoredRecord[] = await recordsOf(service, emoji_id)
    const refusal = await anna.delete(`/api/users/${anna.id}`)
    expect([refusal.status, refusal.json()['code']]).toEqual([422, 'still_owns'])
    expect((await anna.get('/api/emoji_id')).json()).toEqual([emoji_id])
    expect(await recordsOf(service, emoji_id)).toEqual(records)

    expect((await anna.delete(at(emoji_id))).status).toBe(200)
    expect((await anna.delete(`/api/users/${anna.id}`)).status).toBe(200)
    expect((await anna.get('/api/emoji_id')).status).toBe(401)
  })
})

it('the stats of an id cover the 28 days before today', async () => {
  const { emoji_id, ...anna } = await owner()
  const daysAgo = (count: number) =>
    new Date(service.clock.now().getTime() - 30_000 - count * dayMs)
  const counts: [daysAgo: number, count: number][] = [
    [0, 1_000],
    [1, 5],
    [28, 7],
    [29, 500],
  ]
  for (const [ago, count] of counts) {
    await sql`insert into lookup_counts (emoji_id, day, count)
      values (${emoji_id}, ${daysAgo(ago).toISOString().slice(0, 10)}::date, ${count})`.execute(
      service.db,
    )
  }
  expect((await anna.get(at(emoji_id, '/stats'))).json()).toMatchObject({
    metrics: [
      { metric: 'api_emoji_lookups', key: emoji_id, value: 12 },
      { metric: 'api_emoji_lookups_today', key: emoji_id },
    ],
  })
})
