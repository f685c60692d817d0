import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  at,
  grant,
  insertOwnedId,
  proofOf,
  recordsOf,
  type StoredRecord,
} from '../../../../test/support/ids.ts'
import {
  goodPassword,
  logIn,
  type MailedService,
  mailedService,
  newcomer,
  type Person,
  press,
  registerAs,
} from '../../../../test/support/people.ts'
import { isSigned, keyPair, rootOver, textHash } from '../../../../test/support/schnorr.ts'
import { stopTheClock } from '../../../../test/support/stopped-clock.ts'
import { addJob } from '../../../platform/jobs/jobs.ts'

let service: MailedService
let admin: Person
beforeAll(async () => {
  service = await mailedService()
})
// Sessions expire while these tests move the clock.
beforeEach(async () => {
  admin = await registerAs(service, 'Admin')
})
afterAll(() => service?.close())

const hour = 60 * 60_000
const old = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'
const fresh = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
const eth = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
const bitcoin = (data: string) => ({ tag: '0x1003', data })

type Caller = Pick<Person, 'get' | 'patch' | 'put' | 'delete' | 'post'>
type Lock = {
  hours: number
  next_hours: number | null
  next_at: string | null
  waiting: { changes_at: string; by: string; removed: StoredRecord[]; added: StoredRecord[] } | null
}
const dataOf = async (id: string) => (await recordsOf(service, id)).map(({ data }) => data)
const lockOf = async (by: Caller, id: string) => (await by.get(at(id, '/delay_lock'))).json<Lock>()
const setLock = async (by: Caller, id: string, hours: number) => {
  const answer = await by.put(at(id, '/delay_lock'), { hours })
  expect(answer.status).toBe(200)
  return answer.json<Lock>()
}
const insert = (by: Caller, id: string, ...records: object[]) =>
  by.patch(at(id), { insert: records })
const cancel = (by: Caller, id: string) => by.delete(at(id, '/waiting_change'))
const changesAtOf = async (id: string) =>
  (await service.get(at(id))).json<{ changes_at?: string }>().changes_at
/** Signs in again after the clock moved by hours. */
const backAs = ({ email }: Person) => logIn(service, { email, password: goodPassword })

/** An owner with an id that pays to the old address, with a delay lock of so many hours. */
const locked = async (hours = 24) => {
  const anna = await newcomer(service, { password: goodPassword, isVerified: true })
  const id = await insertOwnedId(service, anna.id)
  expect((await insert(anna, id, bitcoin(old))).status).toBe(200)
  await setLock(anna, id, hours)
  await service.settle()
  return { anna, id, mails: service.mailsTo(anna.email).length }
}

describe('a payment address of an id with a delay lock', () => {
  it('changes at the promised moment, is announced, and emailed twice', async () => {
    stopTheClock()
    const { anna, id, mails } = await locked()
    await recordsOf(service, id)
    const requestAnswer = await insert(anna, id, bitcoin(fresh))
    const changes_at = requestAnswer.headers.get('x-changes-at') ?? ''
    expect([requestAnswer.status, requestAnswer.json()]).toEqual([200, []])
    expect(new Date(changes_at).getTime() - service.clock.now().getTime()).toBeGreaterThan(
      23 * hour,
    )

    expect(await dataOf(id)).toEqual([old])
    for (const path of ['', '/BTC', '/payment', '?tags=0x1003', '/payment?token=USDC&network=ETH'])
      expect((await service.get(at(id, path))).json()).toMatchObject({ changes_at })
    const batch = await service.post('/api/emoji_id/lookup', { emoji_ids: [id] })
    expect(batch.json()).toMatchObject({ data: [{ changes_at }] })
    const page = await service.get(`/${encodeURIComponent(id)}`)
    expect(page.body).toContain(`Payment address changes on <time datetime="${changes_at}"`)
    const { waiting } = await lockOf(anna, id)
    expect(waiting).toMatchObject({ changes_at, by: 'you' })
    expect(waiting?.removed.map(({ data }) => data)).toEqual([old])
    expect(waiting?.added.map(({ data }) => data)).toEqual([fresh])
    const mail = await service.mailTo(anna.email, mails + 1)
    expect(mail?.subject).toContain('change on')
    expect(mail?.text).toContain(`BTC ${fresh} is added`)

    const remainingMs = new Date(changes_at).getTime() - service.clock.now().getTime()
    service.clock.advance(remainingMs - 10_000)
    expect(await dataOf(id)).toEqual([old])
    service.clock.advance(10_000)
    const answers = await Promise.all(Array.from({ length: 4 }, () => dataOf(id)))
    expect(answers).toEqual(Array(4).fill([fresh]))
    expect(await changesAtOf(id)).toBeUndefined()
    const { pubkey, domain, message, signature } = await proofOf(service, id)
    expect(signature && isSigned(`${pubkey}`, domain, message, signature)).toBe(true)
    expect((await service.get(at(id, '/history'))).json()).toHaveLength(2)
    const doneEmail = await service.mailTo(anna.email, mails + 2)
    expect(doneEmail?.text).toContain('is now in effect')
    const secondPerson = await backAs(anna)
    expect((await cancel(secondPerson, id)).status).toBe(422)
    expect((await lockOf(secondPerson, id)).waiting).toBeNull()
  })

  it('a payment address of an id with a delay lock stays when its owner cancels, by the emailed link without signing in or on the site', async () => {
    const { anna, id, mails } = await locked()
    await insert(anna, id, bitcoin(fresh))
    const link = await service.linkTo(anna.email, mails + 1)
    const page = await service.get(link)
    expect(page.body).toContain(`BTC ${fresh} is added`)
    expect(await changesAtOf(id)).toBeDefined()
    expect((await press(service, link)).status).toBe(200)
    expect(await changesAtOf(id)).toBeUndefined()
    expect((await press(service, link)).status).toBe(422)
    await insert(anna, id, bitcoin(fresh))
    expect((await press(service, link)).status).toBe(422)
    expect((await cancel(anna, id)).json<Lock>().waiting).toBeNull()
    expect((await cancel(anna, id)).status).toBe(422)
    service.clock.advance(25 * hour)
    expect(await dataOf(id)).toEqual([old])
  })

  it('changes by a job and is emailed, even without a lookup', async () => {
    const { anna, id, mails } = await locked()
    await insert(anna, id, bitcoin(fresh))
    await service.mailTo(anna.email, mails + 1)
    service.clock.advance(24 * hour)
    await addJob(service.db, 'delays.settle')
    const doneEmail = await service.mailTo(anna.email, mails + 2)
    expect(doneEmail?.text).toContain(`BTC ${fresh} is added`)
    expect((await service.get(at(id, '/history'))).json()).toHaveLength(2)
  })

  it('covers every record that payers follow; pure removals take effect immediately and last', async () => {
    const { anna, id } = await locked()
    const all = [
      bitcoin(fresh),
      { tag: '0x3fff', data: 'ABC|whatever' },
      { tag: '0x6300', data: `USDC|USD Coin|ETH|${eth}` },
      { tag: '0x6200', data: 'DE02 1203 0000' },
      { tag: '0x0101', data: 'ab'.repeat(32) },
      { tag: '0x0004', data: 'https://example.com' },
      bitcoin(`${old}|Savings||t`),
    ]
    for (const record of all) {
      const answer = await insert(anna, id, record)
      expect([record.tag, answer.status, answer.json()]).toEqual([record.tag, 200, []])
      expect((await cancel(anna, id)).status).toBe(200)
    }
    expect(await dataOf(id)).toEqual([old])
    // Other records do not wait, in the same edit either.
    const mixedAnswer = await insert(
      anna,
      id,
      { tag: '0x0005', data: 'Anna' },
      { tag: '0x1004', data: eth },
    )
    expect(mixedAnswer.json()).toEqual([id])
    expect(mixedAnswer.headers.get('x-changes-at')).toBeTruthy()
    expect(await dataOf(id)).toEqual([old, 'Anna'])
    const [first] = await recordsOf(service, id)
    expect((await anna.patch(at(id), { delete: [first?.hash] })).json()).toEqual([id])
    expect(await dataOf(id)).toEqual(['Anna'])
    service.clock.advance(24 * hour)
    expect(await dataOf(id)).toEqual(['Anna', eth])
  })

  it('keeps the signature of an external key until then', async () => {
    const { anna } = await locked()
    const { pubkey, sign } = keyPair()
    const proof = sign(
      'emojid/pubkey-proof/v1',
      `The key ${pubkey} belongs to the account ${anna.id}.`,
    )
    expect((await anna.post(`/api/pubkeys/${pubkey}/prove`, proof)).status).toBe(200)
    const id = await grant(admin, { pubkey })
    await setLock(anna, id, 24)
    const signRecords = (records: { tag: string; data: string }[]) => {
      const root = rootOver(records.map(({ tag, data }) => textHash(Number(tag), data)))
      const { nonce, signature } = sign('emojid/records/v1', `${id} ${root}`)
      return { insert: records, merkle_root: root, signature: `${nonce}${signature}` }
    }
    const mixedAnswer = await anna.patch(
      at(id),
      signRecords([{ tag: '0x0005', data: 'A' }, bitcoin(fresh)]),
    )
    expect([mixedAnswer.status, mixedAnswer.body.includes('signed_mix')]).toEqual([422, true])
    expect((await anna.patch(at(id), signRecords([bitcoin(fresh)]))).json()).toEqual([])
    service.clock.advance(24 * hour)
    expect(await dataOf(id)).toEqual([fresh])
    const { domain, message, signature } = await proofOf(service, id)
    expect(signature && isSigned(pubkey, domain, message, signature)).toBe(true)
  })

  it('a payment address of an id with a delay lock is planned once: repeating it keeps its time, another change is rejected', async () => {
    const { anna, id } = await locked()
    const requestAnswer = await insert(anna, id, bitcoin(fresh))
    service.clock.advance(60_000)
    const secondAnswer = await insert(anna, id, bitcoin(fresh))
    expect(secondAnswer.headers.get('x-changes-at')).toBe(requestAnswer.headers.get('x-changes-at'))
    const other = await insert(anna, id, { tag: '0x1004', data: eth })
    expect([other.status, other.body.includes('waiting_change')]).toEqual([422, true])
  })

  it('waits regardless of the writer and the route', async () => {
    const { anna, id } = await locked()
    const response = await anna.post('/api/api_keys', { name: 'Shop', scopes: ['userData:update'] })
    const headers = { 'x-api-key': response.json<{ api_key: string }>().api_key }
    const linked_tags = [bitcoin(fresh)]
    const ways = {
      operator: () => insert(admin, id, bitcoin(fresh)),
      key: () => service.patch(at(id), { insert: [bitcoin(fresh)] }, { headers }),
      store: () => anna.post(at(id, '/json/SvcPageData'), { data: {}, linked_tags }),
      import: () =>
        admin.post('/api/admin/emoji_ids/import', {
          rows: [{ emoji_id: id, records: [bitcoin(fresh)] }],
        }),
    }
    for (const [name, write] of Object.entries(ways)) {
      const answer = await write()
      expect([name, answer.status, answer.body]).toEqual([name, 200, expect.anything()])
      expect([name, await dataOf(id)]).toEqual([name, [old]])
      const { waiting } = await lockOf(anna, id)
      expect([name, waiting?.added.map(({ data }) => data)]).toEqual([name, [fresh]])
      expect((await cancel(anna, id)).status).toBe(200)
    }
  })
})

describe('the delay lock', () => {
  it('the delay lock is raised immediately, and lowered or switched off after the current delay', async () => {
    const { anna, id, mails } = await locked(10)
    expect(await setLock(anna, id, 20)).toMatchObject({ hours: 20, next_at: null })
    expect(await setLock(anna, id, 5)).toMatchObject({ hours: 20, next_hours: 5 })
    const { next_at } = await setLock(anna, id, 0)
    expect(new Date(`${next_at}`).getTime() - service.clock.now().getTime()).toBeGreaterThan(
      19 * hour,
    )
    // Repeating the request keeps its time, and sending the current number cancels it.
    service.clock.advance(60_000)
    expect((await setLock(anna, id, 0)).next_at).toBe(next_at)
    expect(await setLock(anna, id, 20)).toMatchObject({ hours: 20, next_at: null })
    await setLock(anna, id, 0)
    await service.settle()
    const link = await service.linkTo(anna.email, mails + 5)
    expect((await press(service, link)).status).toBe(200)
    expect(await lockOf(anna, id)).toMatchObject({ hours: 20, next_at: null })
    expect((await press(service, link)).status).toBe(422)
    await setLock(anna, id, 0)
    service.clock.advance(20 * hour)
    const secondPerson = await backAs(anna)
    expect(await lockOf(secondPerson, id)).toMatchObject({ hours: 0, next_at: null })
    expect((await insert(secondPerson, id, bitcoin(fresh))).json()).toEqual([id])
  })

  it('accepts whole hours up to three days, from users who may change the id', async () => {
    const { anna, id } = await locked()
    for (const hours of [-1, 73, 1.5, '24', null])
      expect((await anna.put(at(id, '/delay_lock'), { hours })).status).toBe(400)
    const stranger = await newcomer(service)
    expect((await stranger.put(at(id, '/delay_lock'), { hours: 72 })).status).toBe(403)
    expect((await stranger.get(at(id, '/delay_lock'))).status).toBe(403)
    expect((await cancel(stranger, id)).status).toBe(403)
    expect((await service.get(at(id, '/delay_lock'))).status).toBe(401)
  })
})
