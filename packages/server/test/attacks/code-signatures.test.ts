import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Codes } from '../../src/features/shop/codes/codes.ts'
import { makeCode, redemptionCode, refusal, signedCode } from '../support/codes.ts'
import { goodPassword, newcomer, type Person, register, registerAs } from '../support/people.ts'
import { forgeBare, keyPair, signActivation } from '../support/schnorr.ts'
import { enableApp } from '../support/second-factor.ts'
import { type TestService, testService } from '../support/service.ts'
import { sharedService } from '../support/shared-service.ts'

let service: TestService
let admin: Person
let anna: Person
beforeAll(async () => {
  service = await sharedService()
  admin = await registerAs(service, 'Admin')
  anna = await newcomer(service, { password: goodPassword })
})

const invalid = {
  kind: 'refused',
  code: 'invalid_code',
  message: 'This code is not valid.',
  details: { fields: { code: [{ code: 'invalid_code', message: 'This code is not valid.' }] } },
}
const hour = 60 * 60_000
const fromNow = (ms: number) => new Date(service.clock.now().getTime() + ms)

type SignatureBody = Parameters<Codes['activateCode']>[3]
/** Over the alternate id alone. */
const domainOfNames = 'emojid/code-activation/v1'
const activate = (user_id: string, code_id: string, signatureBody: SignatureBody, at = service) =>
  refusal(
    at.db.transaction().execute((trx) => {
      const caller = { user_id } as Parameters<Codes['activateCode']>[1]
      return at.codes.activateCode(trx, caller, code_id, signatureBody)
    }),
  )
const list = async (code_id: string, pubkey: string) => {
  const answer = await admin.post(`/api/codes/${code_id}/pubkeys/${pubkey}`)
  expect(answer.status).toBe(200)
}
/** A code with a key, and a signer for that key. */
const surprise = async (terms: object = {}) => {
  const { id } = await makeCode(admin, signedCode(terms))
  const key = keyPair()
  await list(id, key.pubkey)
  const sign = (user_id: string): SignatureBody => signActivation(key, user_id, id)
  const signName = (name: string): SignatureBody => ({
    pubkey: key.pubkey,
    ...key.sign(domainOfNames, name),
  })
  return { id, key, sign, signName }
}
const named = async (alternate_id: string = randomUUID()) => {
  const { id } = await register(service, { email: undefined, alternate_id, source: 'app' })
  return { id, alternate_id }
}

describe('a code with a signature', () => {
  it('accepts a text that names account and code, or the alternate id of the account', async () => {
    const { id, sign, signName } = await surprise()
    const user = await named()
    expect(await activate(user.id, id, signName(user.alternate_id))).toBe('done')
    expect(await activate(user.id, id, sign(user.id))).toBe('done')
    const person = await newcomer(service)
    const shouted = sign(person.id)
    const { pubkey, nonce, signature } = shouted
    expect(
      await activate(person.id, id, {
        pubkey: pubkey.toUpperCase(),
        nonce: nonce.toUpperCase(),
        signature: signature.toUpperCase(),
      }),
    ).toBe('done')
    expect(await activate(person.id, id, shouted)).toEqual(invalid)
    const entries = await admin.get(`/api/admin/audit?event=code.activated&actor_id=${person.id}`)
    expect(entries.json<{ data: object[] }>().data).toMatchObject([
      { details: { code_id: id, pubkey } },
    ])
  })

  it('accepts each signature once, unless its order lapsed', async () => {
    const { id, sign } = await surprise()
    const signatureBody = sign(anna.id)
    const failed = service.db.transaction().execute(async (trx) => {
      const caller = { user_id: anna.id } as Parameters<Codes['activateCode']>[1]
      await service.codes.activateCode(trx, caller, id, signatureBody)
      throw new Error('No id was left')
    })
    await expect(failed).rejects.toThrow('No id was left')
    expect(await activate(anna.id, id, signatureBody)).toBe('done')
    expect(await activate(anna.id, id, signatureBody)).toEqual(invalid)
    expect(await activate(anna.id, id, sign(anna.id))).toBe('done')
  })

  it.each<[string, (about: Awaited<ReturnType<typeof surprise>>) => SignatureBody]>([
    ['for another user', ({ sign }) => sign(admin.id)],
    ['over something else', ({ sign }) => sign(`${anna.id} `)],
    ['for another code', ({ key }) => signActivation(key, anna.id, randomUUID())],
    ['over the account id alone', ({ signName }) => signName(anna.id)],
    [
      'over the account id alone, in the domain of the text',
      ({ key }) => ({ pubkey: key.pubkey, ...key.sign('emojid/code-activation/v2', anna.id) }),
    ],
    ['by a key that is not listed', ({ id }) => signActivation(keyPair(), anna.id, id)],
    [
      'by another key in its name',
      ({ id, key: { pubkey } }) => ({ ...signActivation(keyPair(), anna.id, id), pubkey }),
    ],
    [
      'for another purpose',
      ({ key }) => ({ pubkey: key.pubkey, ...key.sign('emojid/records/v1', anna.id) }),
    ],
    ['in the weak form', ({ key }) => ({ pubkey: key.pubkey, ...key.signBare(anna.id) })],
    [
      'forged in the weak form',
      ({ key: { pubkey } }) => ({ pubkey, ...forgeBare(pubkey, anna.id) }),
    ],
    ['with another nonce', ({ sign }) => ({ ...sign(anna.id), nonce: keyPair().pubkey })],
    ['with another s', ({ sign }) => ({ ...sign(anna.id), signature: `${'1'.repeat(63)}0` })],
    ['of nothing', ({ key: { pubkey } }) => ({ pubkey, nonce: '', signature: '' })],
    ['of zeros', ({ key: { pubkey } }) => ({ pubkey, nonce: zeros, signature: zeros })],
    ['of no hex', ({ key: { pubkey } }) => ({ pubkey, nonce: 'x\u0000', signature: '%' })],
    ['by the key of zeros', () => ({ pubkey: zeros, nonce: zeros, signature: zeros })],
  ])('rejects a signature %s', async (_what, make) => {
    const about = await surprise()
    expect(await activate(anna.id, about.id, make(about))).toEqual(invalid)
    const nonces = service.db.selectFrom('code_nonces').selectAll()
    expect(await nonces.where('code_id', '=', about.id).execute()).toEqual([])
  })
  const zeros = '0'.repeat(64)

  it('a code with a signature is rejected for a revoked key, and when expired, deleted, typed or unknown', async () => {
    const [revoked, deleted] = [await surprise(), await surprise()]
    const over = await surprise({ end_date: fromNow(-1) })
    const earlyAnswer = await surprise({ start_date: fromNow(hour) })
    await admin.delete(`/api/codes/${revoked.id}/pubkeys/${revoked.key.pubkey}`)
    await admin.delete(`/api/admin/codes/${deleted.id}`)
    for (const { id, sign } of [revoked, deleted, over, earlyAnswer]) {
      expect(await activate(anna.id, id, sign(anna.id))).toEqual(invalid)
    }
    const discount = await makeCode(admin, redemptionCode())
    await service.db
      .insertInto('code_pubkeys')
      .values({
        code_id: discount.id,
        pubkey: revoked.key.pubkey,
        added_at: new Date(),
        revoked_at: null,
      })
      .execute()
    expect(await activate(anna.id, discount.id, revoked.sign(anna.id))).toEqual(invalid)
    expect(await activate(anna.id, randomUUID(), revoked.sign(anna.id))).toEqual(invalid)
  })

  it('accepts the weak form of shipped clients where enabled, from the named signer, once', async () => {
    const { id, key, sign } = await surprise({ legacy_challenge: true })
    const [one, other] = [await named(), await named()]
    const signatureBody = { pubkey: key.pubkey, ...key.signBare(one.alternate_id) }
    expect(await activate(other.id, id, signatureBody)).toEqual(invalid)
    expect(await activate(one.id, id, signatureBody)).toBe('done')
    expect(await activate(one.id, id, signatureBody)).toEqual(invalid)
    const pubkey = keyPair().pubkey
    const unlisted = { pubkey, ...forgeBare(pubkey, one.alternate_id) }
    expect(await activate(one.id, id, unlisted)).toEqual(invalid)
    expect(await activate(other.id, id, sign(other.id))).toBe('done')
    // The form is weak by design: the limits of such a code bound the damage.
    const forged = { pubkey: key.pubkey, ...forgeBare(key.pubkey, one.alternate_id) }
    expect(await activate(one.id, id, forged)).toBe('done')
  })

  it('for an account is of no use to one that took its id as a name (T141)', async () => {
    const { id, key, sign, signName } = await surprise({ legacy_challenge: true })
    const victim = await newcomer(service)
    for (const name of [victim.id, victim.id.toUpperCase()]) {
      const body = { alternate_id: name, password: goodPassword, source: 'app' }
      const refused = await service.post('/api/users', body)
      expect([name, refused.status]).toEqual([name, 422])
      expect(refused.json()).toMatchObject({ fields: { alternate_id: [{ code: 'uniqueness' }] } })
    }
    // Such names were stored before they were refused.
    const thief = await named()
    await service.db
      .updateTable('users')
      .set({ alternate_id: victim.id })
      .where('id', '=', thief.id)
      .execute()
    const texts = [
      sign(victim.id),
      signName(victim.id),
      { pubkey: key.pubkey, ...key.signBare(victim.id) },
    ]
    for (const signed of texts) expect(await activate(thief.id, id, signed)).toEqual(invalid)
    expect(await activate(victim.id, id, sign(victim.id))).toBe('done')
    expect(await activate(thief.id, id, sign(thief.id))).toBe('done')
  })

  it('rejects the weak form after its end date, and the demonstration has no code that allows it', async () => {
    const [ofDemo] = await service.db
      .selectFrom('codes')
      .select('legacy_challenge')
      .where('name', '=', 'Surprise')
      .orderBy('created_at')
      .execute()
    expect(ofDemo).toEqual({ legacy_challenge: false })
    const databaseUrl = String(service.database?.url)
    const late = await testService({ databaseUrl, env: { LEGACY_CHALLENGE_UNTIL: '2020-01-01' } })
    const { id, key, sign } = await surprise({ legacy_challenge: true })
    const one = await named()
    const signatureBody = { pubkey: key.pubkey, ...key.signBare(one.alternate_id) }
    expect(await activate(one.id, id, signatureBody, late)).toEqual(invalid)
    expect(await activate(one.id, id, sign(one.id), late)).toBe('done')
    await late.close()
  })
})

it('changing the keys of a code requires a fresh second-factor code', async () => {
  const cautious = await registerAs(service, 'Admin')
  const { id } = await makeCode(cautious, signedCode())
  await enableApp(service, cautious)
  service.clock.advance(16 * 60_000)
  const session = await service.post('/api/auth/token/refresh', cautious.tokens)
  const { access_token } = session.json<{ access_token: string }>()
  const headers = { authorization: `Bearer ${access_token}` }
  const path = `/api/codes/${id}/pubkeys/${keyPair().pubkey}`
  const answers = [
    await service.call('POST', path, { headers }),
    await service.call('DELETE', path, { headers }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([424, 424])
})
