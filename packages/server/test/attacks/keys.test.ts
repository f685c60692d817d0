import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { at, grant, newId, proofOf, recordsOf } from '../support/ids.ts'
import { bearer, newcomer, type Person, registerAs } from '../support/people.ts'
import { isSigned, keyPair, type Signature } from '../support/schnorr.ts'
import type { TestService } from '../support/service.ts'
import { sharedService } from '../support/shared-service.ts'

let service: TestService
let admin: Person
beforeAll(async () => {
  service = await sharedService()
  admin = await registerAs(service, 'Admin')
})

type Key = ReturnType<typeof keyPair>
const person = () => newcomer(service)
const keysOf = async (person: Pick<Person, 'get'>) =>
  (await person.get('/api/pubkeys')).json<string[]>()
const domain = 'emojid/pubkey-proof/v1'
const claim = (pubkey: string, { id }: { id: string }) =>
  `The key ${pubkey} belongs to the account ${id}.`
const prove = (by: Person, pubkey: string, signature: Signature) =>
  by.post(`/api/pubkeys/${pubkey}/prove`, signature)
const proveOwn = (by: Person, key: Key) =>
  prove(by, key.pubkey, key.sign(domain, claim(key.pubkey, by)))
const grantTo = (pubkey: string, emoji_id = newId()) =>
  admin.post('/api/admin/emoji_ids', { emoji_id, pubkey })
const write = (by: Pick<Person, 'patch'>, id: string, data: string) =>
  by.patch(at(id), { insert: [{ tag: '0x5001', data }] })

describe('a key pair held by the service', () => {
  it('a key pair held by the service is returned as a JSON string, joins the list, and never reveals its private half', async () => {
    const anna = await person()
    const [first] = await keysOf(anna)
    const createResponse = await anna.post('/api/pubkeys')
    expect(createResponse.headers.get('content-type')).toBe('application/json; charset=utf-8')
    const pubkey = createResponse.json<string>()
    expect(createResponse.body).toMatch(/^"[0-9a-f]{64}"$/)
    expect(await keysOf(anna)).toEqual([first, pubkey])
    expect((await admin.get(`/api/users/${anna.id}/pubkeys`)).json()).toEqual([first, pubkey])
    expect((await anna.get(`/api/users/${admin.id}/pubkeys`)).status).toBe(404)

    const id = await grant(admin, { pubkey })
    expect((await write(anna, id, 'mine')).status).toBe(200)
    const proof = await proofOf(service, id)
    expect(proof.signature?.signer).toBe(pubkey)
    expect(proof.signature && isSigned(pubkey, proof.domain, proof.message, proof.signature)).toBe(
      true,
    )
  })

  it('a key pair held by the service cannot be listed or claimed by another account', async () => {
    const [anna, eve] = [await person(), await person()]
    const [pubkey = ''] = await keysOf(anna)
    const id = await grant(admin, { user_id: anna.id })
    expect((await eve.post(`/api/pubkeys/${pubkey}`)).status).toBe(422)
    expect((await proveOwn(eve, { ...keyPair(), pubkey })).status).toBe(422)
    expect(await keysOf(eve)).not.toContain(pubkey)
    expect((await eve.get('/api/emoji_id')).json()).toEqual([])
    expect((await write(eve, id, 'eve')).status).toBe(403)
    expect((await write(anna, id, 'anna')).status).toBe(200)
  })
})

describe('a key held by the user', () => {
  it('gives no rights and gets no ids before it is proven', async () => {
    const [anna, key] = [await person(), keyPair()]
    const listAnswer = await anna.post(`/api/pubkeys/${key.pubkey.toUpperCase()}`)
    expect([listAnswer.status, listAnswer.json()]).toEqual([200, key.pubkey])
    expect(await keysOf(anna)).toContain(key.pubkey)
    const emoji_id = newId()
    const refusal = await grantTo(key.pubkey, emoji_id)
    expect([refusal.status, refusal.json()['code']]).toEqual([422, 'unproven_key'])

    expect((await proveOwn(anna, key)).json()).toBe(key.pubkey)
    expect((await grantTo(key.pubkey, emoji_id)).status).toBe(200)
    expect((await anna.get('/api/emoji_id')).json()).toEqual([emoji_id])
    expect((await write(anna, emoji_id, 'mine')).status).toBe(200)
    expect((await proofOf(service, emoji_id)).signature).toBeNull()
  })

  it('moves from an account that only listed it to the account that proves it, and stays there', async () => {
    const [eve, anna, key] = [await person(), await person(), keyPair()]
    await eve.post(`/api/pubkeys/${key.pubkey}`)
    expect((await anna.post(`/api/pubkeys/${key.pubkey}`)).status).toBe(422)
    expect((await proveOwn(anna, key)).status).toBe(200)
    expect(await keysOf(anna)).toContain(key.pubkey)
    expect(await keysOf(eve)).not.toContain(key.pubkey)
    // Ids are bound to it now: even an account with the private half cannot take it over.
    expect((await proveOwn(eve, key)).status).toBe(422)
    expect((await eve.post(`/api/pubkeys/${key.pubkey}`)).status).toBe(422)
    expect(await keysOf(anna)).toContain(key.pubkey)
    expect((await proveOwn(anna, key)).status).toBe(200)
  })

  it('proven by another account is rejected with its own error', async () => {
    const [eve, anna, key] = [await person(), await person(), keyPair()]
    await eve.post(`/api/pubkeys/${key.pubkey}`)
    const listAnswer = await anna.post(`/api/pubkeys/${key.pubkey}`)
    expect(listAnswer.json()['error']).toContain('prove it')
    expect((await proveOwn(anna, key)).status).toBe(200)
    for (const refusal of [
      await proveOwn(eve, key),
      await eve.post(`/api/pubkeys/${key.pubkey}`),
    ]) {
      const { error, code } = refusal.json<{ error: string; code: string }>()
      expect([refusal.status, code]).toEqual([422, 'uniqueness'])
      expect(error).toMatch(/another account/i)
      expect(error).not.toContain('prove it')
    }
  })

  it('a key held by the user is listed once with an Idempotency-Key (T117)', async () => {
    const [anna, key] = [await person(), keyPair()]
    const headers = { ...bearer(anna.tokens.access_token).headers, 'idempotency-key': 'once' }
    const list = () => service.post(`/api/pubkeys/${key.pubkey}`, undefined, { headers })
    const [first, secondAnswer] = [await list(), await list()]
    expect([secondAnswer.status, secondAnswer.body]).toEqual([200, first.body])
    expect(secondAnswer.headers.get('idempotency-replayed')).toBe('true')
  })

  it('a key held by the user is limited to a hundred, listed or proven; a listed one can be listed again', async () => {
    const anna = await person()
    await service.db
      .insertInto('keys')
      .values(
        Array.from({ length: 98 }, () => ({
          pubkey: keyPair().pubkey,
          user_id: anna.id,
          organization_id: null,
          sealed_private_key: null,
          proven_at: null,
          created_at: new Date(),
        })),
      )
      .execute()
    const [last, surplus] = [keyPair(), keyPair()]
    expect((await anna.post(`/api/pubkeys/${last.pubkey}`)).status).toBe(200)
    for (const refusal of [
      await anna.post(`/api/pubkeys/${surplus.pubkey}`),
      await anna.post('/api/pubkeys'),
      await proveOwn(anna, surplus),
    ]) {
      expect([refusal.status, refusal.json()['code']]).toEqual([422, 'too_many_pubkeys'])
    }
    expect((await anna.post(`/api/pubkeys/${last.pubkey}`)).status).toBe(200)
    expect((await proveOwn(anna, last)).status).toBe(200)
    expect(await keysOf(anna)).toHaveLength(100)
  })

  it('a key held by the user is proven only by its own signature for this account', async () => {
    const [anna, eve, key] = [await person(), await person(), keyPair()]
    await anna.post(`/api/pubkeys/${key.pubkey}`)
    const message = claim(key.pubkey, anna)
    const right = key.sign(domain, message)
    const zero = '00'.repeat(32)
    const order = 'edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010'
    const wrong: Signature[] = [
      keyPair().sign(domain, message),
      key.sign('emojid/records/v1', message),
      key.sign(domain, claim(key.pubkey, eve)),
      { nonce: right.signature, signature: right.nonce },
      { ...right, nonce: key.pubkey },
      { nonce: zero, signature: zero },
      { ...right, signature: zero },
      { ...right, signature: order },
      { ...right, signature: 'ff'.repeat(32) },
      { ...right, nonce: 'ff'.repeat(32) },
    ]
    for (const signature of wrong) {
      const answer = await prove(anna, key.pubkey, signature)
      expect([answer.status, answer.json()['code']]).toEqual([422, 'wrong_proof'])
    }
    // An observed proof is useless for another account.
    expect((await prove(eve, key.pubkey, right)).status).toBe(422)
    for (const signature of [{}, { nonce: 'x', signature: 'x' }, { nonce: 1, signature: [] }]) {
      expect((await anna.post(`/api/pubkeys/${key.pubkey}/prove`, signature)).status).toBe(400)
    }
    expect((await grantTo(key.pubkey)).status).toBe(422)
    expect((await prove(anna, key.pubkey, right)).status).toBe(200)
  })

  const minusOne = `ec${'ff'.repeat(30)}7f`
  it.each([
    '00'.repeat(32),
    'ff'.repeat(32),
    minusOne,
    '01'.padEnd(64, '0'),
    'zz',
    'ab'.repeat(33),
  ])('a key held by the user must be a curve point: %s is not', async (pubkey) => {
    const anna = await person()
    const before = await keysOf(anna)
    const proof = keyPair().sign(domain, claim(pubkey, anna))
    expect((await anna.post(`/api/pubkeys/${pubkey}`)).status).toBe(400)
    expect((await prove(anna, pubkey, proof)).status).toBe(400)
    expect((await admin.post(`/api/users/${anna.id}/pubkeys/${pubkey}`)).status).toBe(400)
    expect(await keysOf(anna)).toEqual(before)
  })

  it('a key held by the user is listed for an existing user by an operator', async () => {
    const [anna, eve] = [await person(), await person()]
    const path = `/api/users/${anna.id}/pubkeys`
    const { pubkey } = keyPair()
    expect((await eve.post(`${path}/${pubkey}`)).status).toBe(403)
    expect((await admin.post(`${path}/${pubkey}`)).json()).toBe(pubkey)
    expect(await keysOf(anna)).toContain(pubkey)
    expect((await grantTo(pubkey)).status).toBe(422)
    const unknownUser = `/api/users/${randomUUID()}/pubkeys`
    expect((await admin.post(`${unknownUser}/${keyPair().pubkey}`)).status).toBe(404)
    expect((await admin.get(unknownUser)).status).toBe(404)
    expect((await eve.delete(`/api/users/${eve.id}`)).status).toBe(200)
    const deletedUserPath = `/api/users/${eve.id}/pubkeys`
    expect((await admin.post(`${deletedUserPath}/${keyPair().pubkey}`)).status).toBe(404)
  })
})

describe('a private key in the wrong row (T113)', () => {
  it.each(['sealed_private_key', 'user_id'])('signs nothing: swapped %s', async (column) => {
    const people = [await person(), await person()]
    const ownKeys = []
    for (const { id: user_id } of people) ownKeys.push(await grant(admin, { user_id }))
    const [one = '', other = ''] = await Promise.all(people.map(async (x) => (await keysOf(x))[0]))
    for (const [n, id] of ownKeys.entries()) {
      expect((await write(people[n] as Person, id, 'before')).status).toBe(200)
    }
    const before = await Promise.all(ownKeys.map((id) => proofOf(service, id)))
    const swap = () =>
      sql`update keys k set ${sql.ref(column)} = o.${sql.ref(column)} from keys o
      where (k.pubkey, o.pubkey) in ((${one}, ${other}), (${other}, ${one}))`.execute(service.db)
    await swap()

    for (const id of ownKeys) {
      const answer = await write(admin, id, 'after')
      // No input caused this, so the request fails with a generic 5xx instead of a refusal.
      expect([answer.status, answer.json()['code']]).toEqual([503, 'locked_away'])
      expect(answer.body).not.toMatch(/seal|cipher|decrypt|key/i)
      expect((await recordsOf(service, id)).map(({ data }) => data)).toEqual(['before'])
    }
    expect(await Promise.all(ownKeys.map((id) => proofOf(service, id)))).toEqual(before)
    await swap()
    expect((await write(people[0] as Person, ownKeys[0] ?? '', 'after')).status).toBe(200)
  })
})
