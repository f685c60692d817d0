import { beforeAll, describe, expect, it } from 'vitest'
import { at, grant, newId, proofOf, recordsOf } from '../support/ids.ts'
import { goodPassword, newcomer, type Person, registerAs } from '../support/people.ts'
import { isSigned, keyPair, rootOver, textHash } from '../support/schnorr.ts'
import type { TestService } from '../support/service.ts'
import { sharedService } from '../support/shared-service.ts'

let service: TestService
let admin: Person
let anna: Person
beforeAll(async () => {
  service = await sharedService()
  admin = await registerAs(service, 'Admin')
  anna = await newcomer(service, { password: goodPassword, isVerified: true })
})

const bitcoin = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'
const otherBitcoin = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
const litecoin = 'LaMT348PWRnrqeeWArpwQPbuanpXDZGEUz'
type Pair = [tag: string, data: string]
const records = (...pairs: Pair[]) => pairs.map(([tag, data]) => ({ tag, data }))
const annasId = () => grant(admin, { user_id: anna.id })
const edit = (id: string, body: object, by: Pick<Person, 'patch'> = anna) => by.patch(at(id), body)
const insert = (id: string, ...pairs: Pair[]) => edit(id, { insert: records(...pairs) })
const dataOf = async (id: string) => (await recordsOf(service, id)).map(({ data }) => data)
const stateOf = async (id: string) => [
  await recordsOf(service, id),
  await proofOf(service, id),
  (await service.get(at(id, '/history'))).json(),
]
/** An id with existing data, and a check that all of it stayed. */
const createFilledId = async () => {
  const id = await annasId()
  expect((await insert(id, ['0x1003', bitcoin], ['0x5001', 'a text'])).status).toBe(200)
  const before = await stateOf(id)
  return { id, expectUntouched: async () => expect(await stateOf(id)).toEqual(before) }
}
const errorOf = (answer: { json(): unknown }) => {
  const { code, error } = answer.json() as { code: string; error: string }
  return { code, error }
}

describe('a rejected edit changes nothing', () => {
  const unknown = textHash(0x5001, 'a text without a record')
  const refusedEdits: [name: string, body: object, status: number, code: string][] = [
    ['a record twice', { insert: records(['0x5001', 'x'], ['0x5001', 'x']) }, 422, 'uniqueness'],
    ['a record that is there', { insert: records(['0x5001', 'a text']) }, 422, 'uniqueness'],
    ['the same address again', { insert: records(['0x1003', bitcoin]) }, 422, 'uniqueness'],
    [
      'two values where one is kept',
      { insert: records(['0x0005', 'a'], ['0x0005', 'b']) },
      422,
      'uniqueness',
    ],
    [
      'a record that is there, in spite of bypass',
      { insert: records(['0x1003', bitcoin]), bypass_single_restrictions: true },
      422,
      'uniqueness',
    ],
    ['an unknown hash', { delete: [unknown] }, 422, 'unknown_record'],
    [
      'a good record beside an unknown hash',
      { insert: records(['0x0005', 'x']), delete: [textHash(0x5001, 'a text'), unknown] },
      422,
      'unknown_record',
    ],
    [
      'a good record before a wrong one',
      { insert: records(['0x0005', 'x'], ['0x1003', 'nonsense']) },
      422,
      'malformed_address',
    ],
    ['another chain', { insert: records(['0x1003', litecoin]) }, 422, 'other_chain'],
    ['a wrong root', { merkle_root: '00'.repeat(32) }, 422, 'wrong_merkle_root'],
    ['the root of before', { insert: records(['0x5002', 'x']), merkle_root: '@' }, 422, '@'],
    ['a signature of nothing', { signature: '00'.repeat(64) }, 422, 'wrong_signature'],
    ['a signature that is none', { signature: 'signed, Anna' }, 422, 'wrong_signature'],
    ['a tag that is none', { insert: records(['0xZZZZ', 'x']) }, 400, 'malformed_tag'],
    ['a negative tag', { insert: records(['-1', 'x']) }, 400, 'malformed_tag'],
    ['a tag of 20 digits', { insert: records(['12345678901234567890', 'x']) }, 400, '@'],
    ['a tag without 0x', { insert: records(['1003', bitcoin]) }, 400, 'malformed_tag'],
    ['a decimal tag', { insert: records(['4099', otherBitcoin]) }, 400, 'malformed_tag'],
    ['a tag over 0xffff', { insert: records(['0x10000', 'x']) }, 400, 'malformed_tag'],
    ['a number as tag', { insert: [{ tag: 4099, data: bitcoin }] }, 400, 'invalid_request'],
    ['an object as hash', { delete: [{ $ne: null }] }, 400, 'invalid_request'],
    ['501 inserts', { insert: Array(501).fill({ tag: '1', data: 'x' }) }, 400, 'invalid_request'],
    ['a text as edit', { insert: 'everything' }, 400, 'invalid_request'],
  ]
  it('a rejected edit changes nothing with a wrong record, hash, root, signature, tag or form', async () => {
    const { id, expectUntouched } = await createFilledId()
    const { merkle_root } = await proofOf(service, id)
    for (const [name, body, status, code] of refusedEdits) {
      const payload =
        'merkle_root' in body && body.merkle_root === '@' ? { ...body, merkle_root } : body
      const answer = await edit(id, payload)
      expect([name, answer.status]).toEqual([name, status])
      if (code !== '@') expect([name, errorOf(answer).code]).toEqual([name, code])
    }
    await expectUntouched()
    const answer = await insert(id, ['0x1003', litecoin])
    expect(errorOf(answer).error).toBe('This is a Litecoin address, not a Bitcoin one.')
    expect(answer.json()['fields']).toHaveProperty(['insert.0', 0, 'code'], 'other_chain')
  })

  it('a hash of another id deletes nothing on either id (T102)', async () => {
    const [one, other] = [await createFilledId(), await createFilledId()]
    const [, { hash } = { hash: '' }] = await recordsOf(service, one.id)
    await insert(one.id, ['0x5001', 'only here'])
    const foreign = (await recordsOf(service, one.id)).find(({ data }) => data === 'only here')
    const answer = await edit(other.id, { delete: [foreign?.hash, hash] })
    expect(answer.status).toBe(422)
    await other.expectUntouched()
    expect(await dataOf(one.id)).toEqual([bitcoin, 'a text', 'only here'])
  })

  const wrongLinks = [
    'javascript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    ' java\tscript:alert(1)',
    '//evil.example',
    'http://u:p@h.example/',
    '/home',
    '',
    'https://a.example/\r\nx: y',
    `https://a.example/${'a'.repeat(10_240)}`,
    'https://',
    'https:\\\\evil.example',
    'JAVASCRIPT:alert(1)',
    'https://a.example\\@evil.example',
  ]
  it('a rejected edit changes nothing with a link that a browser may not follow (T103)', async () => {
    const { id, expectUntouched } = await createFilledId()
    for (const data of wrongLinks) {
      for (const tag of ['0x0004', '0x4001']) {
        const answer = await insert(id, [tag, data])
        expect([400, 422], data).toContain(answer.status)
      }
      const query = new URLSearchParams({ emoji_id: id, link: data })
      const redirect = await service.get(`/api/redirect?${query}`)
      expect([400, 404], data).toContain(redirect.status)
    }
    await expectUntouched()
  })
  it('a link that a browser may not follow leads nowhere, also from link data (T103)', async () => {
    const id = await annasId()
    const good = 'https://a.example/'
    const data = { links: [good, ...wrongLinks.filter((link) => link.length < 1_000)] }
    expect((await anna.post(at(id, '/json/SvcLinkData'), { data })).status).toBe(200)
    const follow = (link: string) =>
      service.get(`/api/redirect?${new URLSearchParams({ emoji_id: id, link })}`)
    expect((await follow(good)).headers.get('location')).toBe(good)
    for (const link of data.links.slice(1)) {
      const { status, headers } = await follow(link)
      expect([link, status, headers.get('location')]).toEqual([link, 404, null])
    }
  })

  const paths = [
    '%ZZ',
    '%00',
    '%ff%fe',
    '%c0%af',
    '%ed%a0%80',
    '%252F',
    '..%2f',
    'crabby',
    'a%F0%9F%A6%80',
    '%F0%9F%A6%80'.repeat(7),
    '%F0%9F%A6%80'.repeat(60),
    '%25F0%259F%25A6%2580',
    '%20',
    "'%20OR%201=1--",
    '%25',
    '_',
    '%5c',
    '%F0%9F%A6%80%E2%80%8D%F0%9F%A6%80',
  ]
  it.each(paths)('the path %s is rejected (T101, T109)', async (path) => {
    const answers = [
      await anna.patch(`/api/emoji_id/${path}`, { insert: [] }),
      await anna.post(`/api/emoji_id/${path}/json/SvcPageData`, { data: 1 }),
      await anna.delete(`/api/emoji_id/${path}`),
      await admin.delete(`/api/admin/emoji_ids/${path}`),
      await admin.put(`/api/admin/emoji_ids/${path}/json/SvcPageData/lock`, { is_locked: true }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400])
  })

  it('SQL in place of a hash or a tag has no effect (T109)', async () => {
    const { id, expectUntouched } = await createFilledId()
    const texts = ["' OR 1=1--", '%', '_', '\\', "'); drop table record_sets; --", '$1']
    for (const text of texts.slice(-2)) {
      expect((await edit(id, { delete: [text] })).status, text).toBe(422)
      expect((await insert(id, [text, 'x'])).status, text).toBe(400)
      expect((await edit(id, { merkle_root: text })).status, text).toBe(422)
      expect((await edit(id, { signature: text })).status, text).toBe(422)
    }
    await expectUntouched()
    expect((await insert(id, ...texts.map((text): Pair => ['0x5002', text]))).status).toBe(200)
    expect(await dataOf(id)).toEqual([bitcoin, 'a text', ...texts])
  })

  it('an id without an owner is not found', async () => {
    expect((await insert(newId(), ['0x0005', 'x'])).status).toBe(404)
  })
})

describe('a category with one value', () => {
  it('replaces it, unless a bypass asks to keep both', async () => {
    const { id } = await createFilledId()
    await insert(id, ['0x1003', otherBitcoin])
    expect(await dataOf(id)).toEqual([otherBitcoin, 'a text'])

    const both = { insert: records(['0x1003', bitcoin]), bypass_single_restrictions: true }
    expect((await edit(id, both)).status).toBe(200)
    expect(await dataOf(id)).toEqual([otherBitcoin, 'a text', bitcoin])
    await insert(id, ['0x1003', `${bitcoin}|shop`])
    expect(await dataOf(id)).toEqual([`${bitcoin}|shop`, 'a text'])
  })

  it('differs from other categories, where each insert adds a record', async () => {
    const { id } = await createFilledId()
    await insert(id, ['0x5001', 'another'])
    expect(await dataOf(id)).toEqual([bitcoin, 'a text', 'another'])
  })

  it('a category with one value is deleted and inserted in one edit with one new version', async () => {
    const { id } = await createFilledId()
    const [first] = await recordsOf(service, id)
    const body = { delete: [first?.hash.toUpperCase()], insert: records(['0x1003', otherBitcoin]) }
    expect((await edit(id, body)).status).toBe(200)
    expect(await dataOf(id)).toEqual([otherBitcoin, 'a text'])
    expect((await service.get(at(id, '/history'))).json()).toHaveLength(2)
  })
})

describe('an address that replaces one of several', () => {
  const [first, second, third] = [bitcoin, otherBitcoin, '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy']
  const paid = async (id: string) =>
    (await service.get(at(id, '/payment')).then((answer) => answer.json<Payment>())).result[
      '0x1003'
    ]?.address
  type Payment = { result: Record<string, { address: string }> }
  const replaceFirst = async () => {
    const id = await annasId()
    const both = records(['0x1003', first], ['0x1003', second])
    await edit(id, { insert: both, bypass_single_restrictions: true })
    expect(await paid(id)).toBe(second)
    const [old] = await recordsOf(service, id)
    const body = { delete: [old?.hash], insert: records(['0x1003', third]) }
    expect((await edit(id, { ...body, bypass_single_restrictions: true })).status).toBe(200)
    return id
  }

  it('keeps its place, and is the most recent one for payments', async () => {
    const id = await replaceFirst()
    expect(await recordsOf(service, id)).toMatchObject([
      { data: third, recent: 1 },
      { data: second },
    ])
    expect(await paid(id)).toBe(third)
    const proof = await proofOf(service, id)
    expect(proof.signature).not.toBeNull()
    // A later one comes last and is more recent.
    const more = { insert: records(['0x1003', first]), bypass_single_restrictions: true }
    await edit(id, more)
    expect(await dataOf(id)).toEqual([third, second, first])
    expect(await paid(id)).toBe(first)
  })

  it('an address that replaces one of several is paid by its place alone once the owner names the order', async () => {
    const id = await replaceFirst()
    const order = (await recordsOf(service, id)).map(({ hash }) => hash)
    expect((await edit(id, { order })).json()).toEqual([id])
    expect(await paid(id)).toBe(second)
    expect((await recordsOf(service, id)).some((one) => 'recent' in one)).toBe(false)
    expect((await edit(id, { order })).json()).toEqual([])
  })

  it('an address that replaces one of several is paid after an import of the export too', async () => {
    const id = await replaceFirst()
    const rows = [{ emoji_id: id, records: records(['0x1003', second], ['0x1003', third]) }]
    type Page = { data: { emoji_id: string; records: object[] }[]; next: string | null }
    const exported: Page['data'] = []
    for (let after: string | null = ''; after !== null; ) {
      const start: string = after && `&after=${encodeURIComponent(after)}`
      const page: Page = (
        await admin.get(`/api/admin/emoji_ids/export?limit=200${start}`)
      ).json<Page>()
      exported.push(...page.data)
      after = page.next
    }
    expect(exported.find(({ emoji_id }) => emoji_id === id)?.records).toEqual(rows[0]?.records)
    await admin.post('/api/admin/emoji_ids/import', { rows })
    expect(await dataOf(id)).toEqual([second, third])
    expect(await paid(id)).toBe(third)
  })
})

describe('an edit without a change', () => {
  const emptyEdits: object[] = [
    {},
    { insert: [], delete: [] },
    { delete: [textHash(0x5001, 'a text')], insert: records(['0x5001', 'a text']) },
  ]
  it('creates no version, history entry or signature', async () => {
    const { id, expectUntouched } = await createFilledId()
    const { merkle_root } = await proofOf(service, id)
    for (const body of [...emptyEdits, { merkle_root }])
      expect((await edit(id, body)).status, JSON.stringify(body)).toBe(200)
    await expectUntouched()
    const audited = await service.db
      .selectFrom('audit_entries')
      .select('id')
      .where('event', '=', 'records.changed')
      .where(({ eb, ref }) => eb(ref('details', '->>').key('emoji_id' as never), '=', id))
      .execute()
    expect(audited).toHaveLength(1)
  })
})

it('an id has at most 200 records', async () => {
  const id = await annasId()
  const many = (from: number, count: number) =>
    records(...Array.from({ length: count }, (_, n): Pair => ['0x5001', `text ${from + n}`]))
  expect((await edit(id, { insert: many(0, 201) })).status).toBe(422)
  expect((await edit(id, { insert: many(0, 200) })).status).toBe(200)
  const refusal = await edit(id, { insert: many(200, 1) })
  expect([refusal.status, errorOf(refusal).code]).toEqual([422, 'too_many_records'])
  expect(await recordsOf(service, id)).toHaveLength(200)
  const swap = { insert: many(200, 1), delete: [textHash(0x5001, 'text 0')] }
  expect((await edit(id, swap)).status).toBe(200)
})

it('an id that has more than 200 records after an undo can replace and delete them, but not get more', async () => {
  const id = await annasId()
  const many = Array.from({ length: 202 }, (_, n) => `text ${n}`)
  const stored = many.map((data) => ({ tag: '0x5001', data, hash: textHash(0x5001, data) }))
  await service.db
    .insertInto('record_sets')
    .values({ emoji_id: id, records: JSON.stringify(stored), linked: '{}', merkle_root: null })
    .execute()
  const [first, second] = stored.map(({ hash }) => hash)
  expect(errorOf(await insert(id, ['0x5001', 'one more'])).code).toBe('too_many_records')
  const swap = { insert: records(['0x5001', 'another']), delete: [first] }
  expect((await edit(id, swap)).status).toBe(200)
  expect((await edit(id, { delete: [second] })).status).toBe(200)
  expect(errorOf(await insert(id, ['0x5001', 'one more'])).code).toBe('too_many_records')
  expect(await recordsOf(service, id)).toHaveLength(201)
})

it('an id has at most 200 records until a waiting change takes effect, and after it', async () => {
  const id = await annasId()
  const texts = (from: number, count: number) =>
    Array.from({ length: count }, (_, n): Pair => ['0x5001', `text ${from + n}`])
  const addresses: Pair[] = [bitcoin, otherBitcoin].map((data) => ['0x1003', data])
  const next: Pair = ['0x1007', litecoin]
  const insert = records(...addresses, ...texts(0, 197))
  expect((await edit(id, { insert, bypass_single_restrictions: true })).status).toBe(200)
  expect((await anna.put(at(id, '/delay_lock'), { hours: 24 })).status).toBe(200)
  expect((await edit(id, { insert: records(next) })).body).toBe('[]')
  const later = await edit(id, { insert: records(...texts(197, 1)) })
  expect(errorOf(later).code).toBe('too_many_records')
  expect((await anna.delete(at(id, '/waiting_change'))).status).toBe(200)
  const replaced = addresses.map(([, data]) => textHash(0x1003, data))
  const now = await edit(id, { insert: records(next, ...texts(197, 2)), delete: replaced })
  expect(errorOf(now).code).toBe('too_many_records')
  expect(await recordsOf(service, id)).toHaveLength(199)
})

describe('all records of an id', () => {
  const long = (from: number, count: number) =>
    records(
      ...Array.from({ length: count }, (_, n): Pair => ['0x4002', `${from + n}${'x'.repeat(990)}`]),
    )

  it('all records of an id have at most 64 kB of JSON', async () => {
    const id = await annasId()
    expect((await edit(id, { insert: long(10, 50) })).status).toBe(200)
    const refusal = await edit(id, { insert: long(60, 11) })
    expect([refusal.status, errorOf(refusal).code]).toEqual([422, 'too_large_records'])
    expect(await recordsOf(service, id)).toHaveLength(50)
  })

  it('all records of an id stay readable if they were larger before, and every edit must make them smaller', async () => {
    const id = await annasId()
    const large = long(10, 80).map(({ tag, data }) => ({
      tag,
      data,
      hash: textHash(Number(tag), data),
    }))
    await service.db
      .insertInto('record_sets')
      .values({ emoji_id: id, records: JSON.stringify(large), linked: '{}', merkle_root: null })
      .execute()
    expect(await recordsOf(service, id)).toEqual(large)
    expect(errorOf(await insert(id, ['0x5001', 'one more'])).code).toBe('too_large_records')
    const hashes = large.map(({ hash }) => hash)
    expect(errorOf(await edit(id, { order: hashes.toReversed() })).code).toBe('too_large_records')
    expect((await edit(id, { delete: hashes.slice(0, 1) })).status).toBe(200)
    expect(await recordsOf(service, id)).toEqual(large.slice(1))
    expect((await edit(id, { delete: hashes.slice(1, 40) })).status).toBe(200)
    expect((await insert(id, ['0x5001', 'one more'])).status).toBe(200)
  })

  it('count the records of a waiting change', async () => {
    const id = await annasId()
    const body = { insert: [...long(10, 55), ...records(['0x1003', bitcoin])] }
    expect((await edit(id, body)).status).toBe(200)
    const locked = await anna.put(at(id, '/delay_lock'), { hours: 24 })
    expect(locked.status).toBe(200)
    const addresses = Array.from(
      { length: 4 },
      (_, n): Pair => ['0x3fff', `TOK${n}|${'a'.repeat(90)}`],
    )
    const planned = await insert(id, ...addresses)
    expect([planned.status, planned.body]).toEqual([200, '[]'])
    expect(errorOf(await edit(id, { insert: long(70, 5) })).code).toBe('too_large_records')
    const [text] = await recordsOf(service, id)
    expect((await edit(id, { delete: [text?.hash] })).status).toBe(200)
  })
})

it('the audit log names changed records by their hashes', async () => {
  const id = await annasId()
  await edit(id, {
    insert: records(...Array.from({ length: 30 }, (_, n): Pair => ['0x5001', `text ${n}`])),
  })
  const { details } = await service.db
    .selectFrom('audit_entries')
    .select('details')
    .where('event', '=', 'records.changed')
    .where(({ eb, ref }) => eb(ref('details', '->>').key('emoji_id' as never), '=', id))
    .executeTakeFirstOrThrow()
  expect(details).toMatchObject({ inserted_count: 30, removed: [], removed_count: 0 })
  expect(details['inserted']).toHaveLength(20)
  expect((details['inserted'] as object[])[0]).toEqual({
    tag: '0x5001',
    hash: textHash(0x5001, 'text 0'),
  })
})

describe('a preferred form', () => {
  it('changes the display of the id, never its identity', async () => {
    const id = await grant(admin, { user_id: anna.id }, `👋${newId().slice(0, 10)}`)
    const shownAs = async () => {
      const list = (await anna.get('/api/emoji_id/extended')).json<Record<string, string>[]>()
      return list.find(({ canonical_format }) => canonical_format === id)?.['display_format']
    }
    const toned = id.replace('👋', '👋🏽')
    expect((await insert(id, ['0x0006', toned])).status).toBe(200)
    expect(await shownAs()).toBe(toned)
    for (const wrong of ['🦀', `${id.slice(0, -2)}`, 'hello', `${toned}x`, '🦀🏽', '']) {
      expect((await insert(id, ['0x0006', wrong])).status).toBe(422)
    }
    expect(await shownAs()).toBe(toned)
    expect(await dataOf(toned)).toEqual([toned])
    await edit(id, { delete: [textHash(0x0006, toned)] })
    expect(await shownAs()).toBe(id)
  })
})

describe('a signature of the owner', () => {
  const foreign = async () => {
    const key = keyPair()
    const message = `The key ${key.pubkey} belongs to the account ${anna.id}.`
    const proof = key.sign('emojid/pubkey-proof/v1', message)
    expect((await anna.post(`/api/pubkeys/${key.pubkey}/prove`, proof)).status).toBe(200)
    return { ...key, id: await grant(admin, { pubkey: key.pubkey }) }
  }
  const asText = ({ nonce, signature }: { nonce: string; signature: string }) => nonce + signature
  const root = rootOver([textHash(0x5001, 'mine')])
  const body = { insert: records(['0x5001', 'mine']), merkle_root: root }

  it('made with their own key is stored and shown', async () => {
    const { id, sign, pubkey } = await foreign()
    const signature = asText(sign('emojid/records/v1', `${id} ${root}`))
    expect((await edit(id, { ...body, signature })).status).toBe(200)
    const proof = await proofOf(service, id)
    expect(proof).toMatchObject({ merkle_root: root, pubkey, signature: { signer: pubkey } })
    expect(proof.signature && asText(proof.signature)).toBe(signature)
    expect(proof.signature && isSigned(pubkey, proof.domain, proof.message, proof.signature)).toBe(
      true,
    )
    // The service cannot sign for them: the set has no owner signature.
    expect((await insert(id, ['0x5001', 'unsigned'])).status).toBe(200)
    expect((await proofOf(service, id)).signature).toBeNull()
  })

  it('a signature of the owner is added later to unchanged records, and not lost by an empty edit', async () => {
    const { id, sign, pubkey } = await foreign()
    expect((await edit(id, body)).status).toBe(200)
    expect((await proofOf(service, id)).signature).toBeNull()
    const signature = asText(sign('emojid/records/v1', `${id} ${root}`))
    for (const payload of [{ signature }, { signature }, {}]) {
      expect((await edit(id, payload)).status).toBe(200)
      expect((await proofOf(service, id)).signature).toMatchObject({ signer: pubkey })
    }
    expect((await service.get(at(id, '/history'))).json()).toHaveLength(2)
  })

  it('a signature of the owner is rejected over another id, another set, in another domain, by another key', async () => {
    const { id, sign } = await foreign()
    const before = await stateOf(id)
    const wrong = [
      sign('emojid/records/v1', `${newId()} ${root}`),
      sign('emojid/records/v1', `${id} ${rootOver([])}`),
      sign('emojid/pubkey-proof/v1', `${id} ${root}`),
      keyPair().sign('emojid/records/v1', `${id} ${root}`),
    ]
    for (const wrongSignature of wrong) {
      const answer = await edit(id, { ...body, signature: asText(wrongSignature) })
      expect([answer.status, errorOf(answer).code]).toEqual([422, 'wrong_signature'])
    }
    expect(await stateOf(id)).toEqual(before)
  })
})
