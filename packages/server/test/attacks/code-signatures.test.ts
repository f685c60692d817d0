import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Codes } from '../../src/features/shop/codes/index.ts'
import { makeCode, redemptionCode, refusal, signedCode } from '../support/codes.ts'
import { goodPassword, newcomer, type Person, register, registerAs } from '../support/people.ts'
import { forgeBare, keyPair } from '../support/schnorr.ts'
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
const domain = 'emojid/code-activation/v1'
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
  const sign = (message: string): SignatureBody => ({
    pubkey: key.pubkey,
    ...key.sign(domain, message),
  })
  return { id, key, sign }
}
const named = async () => {
  const alternate_id = `app-user-${randomUUID()}`
  const { id } = await register(service, { email: undefined, alternate_id, source: 'app' })
  return { id, alternate_id }
}

describe('a code with a signature', () => {
  it('accepts the signed alternate id, and the user id of an account without one', async () => {
    const { id, sign } = await surprise()
    const user = await named()
    const signatureBody = sign(user.alternate_id)
    expect(await activate(user.id, id, signatureBody)).toBe('done')
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
    ['by a key that is not listed', () => ({ ...strangeKey(), ...bySomebody() })],
    ['by another key in its name', ({ key }) => ({ pubkey: key.pubkey, ...bySomebody() })],
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
  const strangeKey = () => ({ pubkey: keyPair().pubkey })
  const bySomebody = () => keyPair().sign(domain, anna.id)

  it('is rejected for a revoked key, and when expired, deleted, typed or unknown', async () => {
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
    expect(await activate(other.id, id, sign(other.alternate_id))).toBe('done')
    // The form is weak by design: the limits of such a code bound the damage.
    const forged = { pubkey: key.pubkey, ...forgeBare(key.pubkey, one.alternate_id) }
    expect(await activate(one.id, id, forged)).toBe('done')
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
    expect(await activate(one.id, id, sign(one.alternate_id), late)).toBe('done')
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
