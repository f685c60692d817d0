import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { rewrapKeys } from '../src/features/identity/keys/keys.ts'
import { rewrapSecondFactors } from '../src/features/identity/second-factor/second-factor.ts'
import { rewrapLootboxes } from '../src/features/lootboxes/index.ts'
import { rewrapMessages } from '../src/features/operations/notifications/notifications.ts'
import { rewrapCodes } from '../src/features/shop/codes/codes.ts'
import { createSealer } from '../src/platform/crypto/seal.ts'
import { makeCode, redemptionCode } from './support/codes.ts'
import { at, grant } from './support/ids.ts'
import { makeBox, proofOf } from './support/lootboxes.ts'
import { masterKey, otherMasterKey } from './support/own-keys.ts'
import { bearer, callsWith, logIn, register, registerAs, type Tokens } from './support/people.ts'
import { authenticator, type EnabledApp, enableApp, sendCode } from './support/second-factor.ts'
import { type TestService, testService } from './support/service.ts'
import { sharedService } from './support/shared-service.ts'

const [old, fresh] = [masterKey, otherMasterKey]

const startAfter = (before: TestService, ...keys: Buffer[]) =>
  testService({
    databaseUrl: before.database?.url ?? '',
    env: { MASTER_KEY: keys.map((key) => key.toString('base64')).join(',') },
  })

it('a start is refused while data needs a missing key; after rewrapping everything works under the new key alone', async () => {
  const before = await testService({ env: { MASTER_KEY: old.toString('base64') } })
  const [owner, setting] = [await register(before), await register(before)]
  const admin = await registerAs(before, 'Admin')
  await admin.post('/api/admin/emoji_ids', { emoji_id: '🦀🦀', user_id: owner.id })
  const { ga_secret: secret } = await enableApp(before, owner)
  const preparationAnswer = await setting.post('/api/account/2fa', { provider: 'AuthenticatorApp' })
  const { ga_secret } = preparationAnswer.json<EnabledApp>()
  const box = await makeBox(admin, { status: 'Used', owner_id: admin.id })
  const { redemption_code } = await makeCode(admin, redemptionCode())
  const text = redemption_code ?? ''
  await makeCode(admin, redemptionCode())
  const revealedProof = await proofOf(before, box.id)

  await expect(startAfter(before, fresh)).rejects.toThrow(/MASTER_KEY.*\/secrets/)
  const both = await startAfter(before, fresh, old)
  await register(both)
  // Hashes of one text under two master keys differ.
  const operator = await registerAs(both, 'Admin')
  const again = redemptionCode({ redemption_code: text.toLowerCase() })
  expect((await operator.post('/api/admin/codes', again)).status).toBe(422)
  await both.close()
  await expect(startAfter(before, old)).rejects.toThrow('MASTER_KEY')

  const sealer = createSealer([fresh, old])
  const wraps = [rewrapKeys, rewrapSecondFactors, rewrapLootboxes, rewrapCodes, rewrapMessages]
  const wrapped: number[] = []
  for (const [place, wrap] of wraps.entries()) {
    // While one kind of data is left, the new key alone is not enough.
    if (place === 1) await expect(startAfter(before, fresh)).rejects.toThrow('MASTER_KEY')
    wrapped.push(await wrap(before.db, sealer))
    if (wrap !== rewrapMessages) expect(await wrap(before.db, sealer)).toBe(0)
  }
  expect(wrapped[0]).toBeGreaterThanOrEqual(2)
  expect(wrapped.slice(1, 3)).toEqual([2, 1])
  expect(wrapped[3]).toBe(3)

  const after = await startAfter(before, fresh)
  const login = await logIn(after, owner)
  const codeResponse = await sendCode(after, login.tokens, authenticator(after, secret).next())
  const path = `/api/emoji_id/${encodeURIComponent('🦀🦀')}`
  const body = { insert: [{ tag: '0x5001', data: 'signed anew' }] }
  const editAnswer = await after.patch(path, body, bearer(codeResponse.json<Tokens>().access_token))
  const proof = (await after.get(`${path}/proof`)).json()
  const code = authenticator(after, ga_secret).code()
  // A set-up belongs to its session.
  const confirmationAnswer = await callsWith(after, setting.tokens).post(
    '/api/account/2fa/confirm',
    {
      code,
    },
  )
  const newProof = await proofOf(after, box.id)
  const codes = await (await registerAs(after, 'Admin')).get(`/api/codes?q=${text}`)
  await after.close()
  await before.close()

  expect([codeResponse.status, editAnswer.status, confirmationAnswer.status]).toEqual([
    200, 200, 200,
  ])
  expect(proof).toMatchObject({ signature: { signer: expect.stringMatching(/^[0-9a-f]{64}$/) } })
  expect(newProof).toEqual(revealedProof)
  expect(codes.json()).toMatchObject({ data: [{ redemption_code: text }] })
  expect(newProof).toMatchObject({
    seed: expect.stringMatching(/^[0-9a-f]{64}$/),
    recomputes: true,
  })
})

it('data that cannot be decrypted causes a 503 and a log entry for operators', async () => {
  const service = await sharedService()
  const owner = await register(service)
  const id = await grant(await registerAs(service, 'Admin'), { user_id: owner.id })
  await sql`
    update keys set sealed_private_key = overlay(sealed_private_key placing '00000000' from 4 for 8)
    where user_id = ${owner.id}
  `.execute(service.db)
  const body = { insert: [{ tag: '0x5001', data: 'unsigned' }] }
  const answer = await owner.patch(at(id), body)
  const { logged } = service

  expect([answer.status, answer.json()['code']]).toEqual([503, 'locked_away'])
  expect(logged.filter((line) => line.includes('master key 00000000'))).toHaveLength(1)
})
