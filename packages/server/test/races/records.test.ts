import { beforeAll, describe, expect, it } from 'vitest'
import {
  at,
  grant,
  insertOwnedId,
  newId,
  type Proof,
  proofOf,
  recordsOf,
  type StoredRecord,
} from '../support/ids.ts'
import { newcomer, type Person, registerAs } from '../support/people.ts'
import { isSigned, keyPair, rootOver, textHash } from '../support/schnorr.ts'
import type { TestService } from '../support/service.ts'
import { sharedPair } from '../support/shared-service.ts'

let service: TestService
/** Another process on the same data. */
let second: TestService
let admin: Person
let anna: Person
beforeAll(async () => {
  ;({ service, second } = await sharedPair())
  admin = await registerAs(service, 'Admin')
  anna = await newcomer(service, { isVerified: true })
})

const times = <Result>(count: number, work: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))
const either = (n: number) => (n % 2 ? service : second)
const call = (method: string, path: string, body: object, n: number, person = anna) =>
  either(n).call(method, path, {
    body,
    headers: { authorization: `Bearer ${person.tokens.access_token}` },
  })
const edit = (id: string, body: object, n: number) => call('PATCH', at(id), body, n)
const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status).sort()
const text = (data: string, tag = '0x5001') => ({ tag, data })
const address = (n: number) => `1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa|number ${n}`

/** Every past state of the id, oldest first, from the service's history. */
const statesOf = async (id: string) => {
  const rows = await service.db
    .selectFrom('record_history')
    .select(['version', 'records'])
    .where('emoji_id', '=', id)
    .orderBy('version')
    .execute()
  return rows.map(({ version, records }) => ({
    version: Number(version),
    data: (records as StoredRecord[]).map(({ data }) => data),
  }))
}
/** Both processes serve the newest state, signed as a whole. */
const expectConsistent = async (id: string) => {
  const newest = (await statesOf(id)).at(-1)
  const records = await recordsOf(service, id)
  expect(records.map(({ data }) => data)).toEqual(newest?.data)
  const proof = await proofOf(service, id)
  expect(proof.version).toBe(newest?.version)
  expect(proof.merkle_root).toBe(rootOver(records.map(({ hash }) => hash)))
  const { pubkey, domain, message, signature } = proof
  expect(signature && isSigned(`${pubkey}`, domain, message, signature)).toBe(true)
  await expect.poll(() => recordsOf(second, id)).toEqual(records)
}

describe('four concurrent edits of one id, at two processes', () => {
  it('never lose a record to another order: an order of older records is refused', async () => {
    const id = await insertOwnedId(service, anna.id)
    await edit(id, { insert: ['a', 'b', 'c'].map((data) => text(data)) }, 0)
    const hashes = (await recordsOf(service, id)).map(({ hash }) => hash)
    const answers = await times(4, (n) =>
      n < 2
        ? edit(id, { order: hashes.toReversed() }, n)
        : edit(id, { insert: [text(`text ${n}`)] }, n),
    )
    expect(statuses(answers.slice(2))).toEqual(Array(2).fill(200))
    for (const { status } of answers.slice(0, 2)) expect([200, 422]).toContain(status)
    const data = (await recordsOf(service, id)).map((record) => record.data)
    expect([data.length, new Set(data).size]).toEqual([5, 5])
    await expectConsistent(id)
  })

  it('four concurrent edits of one id, at two processes are serialized: each state has one more record', async () => {
    const id = await insertOwnedId(service, anna.id)
    const answers = await times(4, (n) => edit(id, { insert: [text(`text ${n}`)] }, n))
    expect(statuses(answers)).toEqual(Array(4).fill(200))
    const states = await statesOf(id)
    expect(new Set(states.map(({ version }) => version)).size).toBe(4)
    for (const [n, { data }] of states.entries()) {
      expect(data).toHaveLength(n + 1)
      expect(data.slice(0, -1)).toEqual(states[n - 1]?.data ?? [])
    }
    await expectConsistent(id)
  })

  it('four concurrent edits of one id, at two processes leave one value in a single-value category', async () => {
    const id = await insertOwnedId(service, anna.id)
    const answers = await times(4, (n) => edit(id, { insert: [text(address(n), '0x1003')] }, n))
    expect(statuses(answers)).toEqual(Array(4).fill(200))
    const states = await statesOf(id)
    expect(states.map(({ data }) => data.length)).toEqual(Array(4).fill(1))
    expect(new Set(states.flatMap(({ data }) => data)).size).toBe(4)
    await expectConsistent(id)
  })

  it('four concurrent edits of one id, at two processes of the same record: one inserts it, and one deletes it', async () => {
    const id = await insertOwnedId(service, anna.id)
    const refusals = Array(3).fill(422)
    const insertedAnswers = await times(4, (n) => edit(id, { insert: [text('once')] }, n))
    expect(statuses(insertedAnswers)).toEqual([200, ...refusals])
    const hash = textHash(0x5001, 'once')
    const deletionAnswers = await times(4, (n) => edit(id, { delete: [hash] }, n))
    expect(statuses(deletionAnswers)).toEqual([200, ...refusals])
    expect((await statesOf(id)).map(({ data }) => data)).toEqual([['once'], []])
    await expectConsistent(id)
  })

  it('four concurrent edits of one id, at two processes with store entries keep entry and records consistent', async () => {
    const id = await insertOwnedId(service, anna.id)
    const path = at(id, '/json/SvcPageData')
    const answers = await times(4, (n) =>
      call('POST', path, { data: `page ${n}`, linked_tags: [text(`page ${n}`)] }, n),
    )
    expect(statuses(answers)).toEqual(Array(4).fill(200))
    const { data } = (await service.get(path)).json<{ data: string }>()
    expect((await recordsOf(service, id)).map((record) => record.data)).toEqual([data])
    await expectConsistent(id)
  })

  it('with store entries that name the state they read: one writes, and the others read again', async () => {
    const id = await insertOwnedId(service, anna.id)
    const path = at(id, '/json/SvcPageData')
    const read = async () => (await service.get(path)).json<{ data: unknown; updated_at: string }>()
    for (const former of [{}, 'page of another session']) {
      const { data, updated_at } = await read()
      expect(data).toEqual(former)
      const answers = await times(4, (n) =>
        call('POST', path, { data: `page ${n}`, if_updated_at: updated_at }, n),
      )
      expect(statuses(answers)).toEqual([200, 409, 409, 409])
      const lost = answers.find(({ status }) => status === 409)
      expect(lost?.json()).toMatchObject({ code: 'outdated_entry' })
      const winner = answers.findIndex(({ status }) => status === 200)
      expect((await read()).data).toBe(`page ${winner}`)
      await call('POST', path, { data: 'page of another session' }, 0)
    }
  })
})

it('one id granted to four users at once, at two processes, goes to exactly one', async () => {
  const people = await times(4, () => newcomer(service))
  const emoji_id = newId()
  const answers = await times(4, (n) =>
    call('POST', '/api/admin/emoji_ids', { emoji_id, user_id: people[n]?.id }, n, admin),
  )
  expect(statuses(answers)).toEqual([200, ...Array(3).fill(422)])
  const lists = await times(4, async (n) =>
    ((await people[n]?.get('/api/emoji_id'))?.json<string[]>() ?? []).includes(emoji_id),
  )
  expect(lists).toEqual(answers.map(({ status }) => status === 200))
})

it('an id released during an edit keeps nothing of any edit', async () => {
  const id = await grant(admin, { user_id: anna.id })
  const edits = times(3, (n) => edit(id, { insert: [text(`text ${n}`)] }, n))
  const releaseAnswer = await anna.delete(at(id))
  const answers = await edits
  expect(releaseAnswer.status).toBe(200)
  expect(answers.filter(({ status }) => status !== 200 && status !== 404)).toEqual([])
  await grant(admin, { user_id: admin.id }, id)
  expect(await recordsOf(service, id)).toEqual([])
  expect(await statesOf(id)).toEqual([])
  await expect.poll(() => recordsOf(second, id)).toEqual([])
})

it('a proof is of one moment: its key is the one that signed its records', async () => {
  const [bert, id] = [await newcomer(service), newId()]
  const path = at(id).replace('/emoji_id/', '/admin/emoji_ids/')
  const signers: [signer: string, pubkey: string | null][] = []
  let isOver = false
  const readers = times(2, async (n) => {
    while (!isOver) {
      const answer = await either(n).get(at(id, '/proof'))
      const { signature, pubkey } = answer.status === 200 ? answer.json<Partial<Proof>>() : {}
      if (signature) signers.push([signature.signer, pubkey ?? null])
    }
  })
  for (let round = 0; round < 3; round++) {
    const owner = round % 2 ? anna : bert
    await grant(admin, { user_id: owner.id }, id)
    const body = { insert: [text(`round ${round}`)] }
    expect((await call('PATCH', at(id), body, round, owner)).status).toBe(200)
    expect((await admin.delete(path)).status).toBe(200)
  }
  isOver = true
  await readers
  expect(signers.length).toBeGreaterThan(0)
  expect(signers.filter(([signer, pubkey]) => signer !== pubkey)).toEqual([])
})

/** A user with the given number of keys. Registration makes the first. */
const personWith = async (count: number): Promise<Person> => {
  const person = await newcomer(service)
  await service.db
    .insertInto('keys')
    .values(
      Array.from({ length: count - 1 }, () => ({
        pubkey: keyPair().pubkey,
        user_id: person.id,
        organization_id: null,
        sealed_private_key: null,
        proven_at: null,
        created_at: new Date(),
      })),
    )
    .execute()
  return person
}

it('many concurrent requests that list, make and prove keys keep a hundred', async () => {
  const person = await personWith(95)
  const headers = { authorization: `Bearer ${person.tokens.access_token}` }
  const works: ((at: TestService) => ReturnType<TestService['get']>)[] = [
    (at) => at.post(`/api/pubkeys/${keyPair().pubkey}`, undefined, { headers }),
    (at) => at.post('/api/pubkeys', undefined, { headers }),
    (at) => {
      const { pubkey, sign } = keyPair()
      const text = `The key ${pubkey} belongs to the account ${person.id}.`
      const proof = sign('emojid/pubkey-proof/v1', text)
      return at.post(`/api/pubkeys/${pubkey}/prove`, proof, { headers })
    },
  ]
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, n) => works[n % 3]?.(n % 2 ? service : second)),
  )
  const statuses = answers.map((answer) => answer?.status ?? 0).toSorted()
  expect(statuses).toEqual([...Array(5).fill(200), ...Array(7).fill(422)])
  expect((await person.get('/api/pubkeys')).json()).toHaveLength(100)
})
