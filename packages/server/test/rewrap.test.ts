import { expect, it } from 'vitest'
import { rewrapKeys } from '../src/features/keys/index.ts'
import { rewrapLootboxes } from '../src/features/lootboxes/index.ts'
import { rewrapSecondFactors } from '../src/features/two-factor/index.ts'
import { createSealer } from '../src/platform/crypto/seal.ts'
import { makeBox, proofOf } from './support/lootboxes.ts'
import { bearer, logIn, register, registerAs } from './support/people.ts'
import { authenticator, type Enabled, enableApp, giveCode } from './support/second-factor.ts'
import { testService } from './support/service.ts'

const [old, fresh] = [Buffer.alloc(32, 7), Buffer.alloc(32, 9)]

it('private keys wrapped anew sign under the new master key, without the old one', async () => {
  const before = await testService({ env: { MASTER_KEY: old.toString('base64') } })
  const owner = await register(before)
  const admin = await registerAs(before, 'Admin')
  await admin.post('/api/admin/emoji_ids', { emoji_id: '🦀🦀', user_id: owner.id })
  const wrapped = await rewrapKeys(before.db, createSealer([fresh, old]))
  const again = await rewrapKeys(before.db, createSealer([fresh, old]))
  const after = await testService({
    databaseUrl: before.database?.url ?? '',
    env: { MASTER_KEY: fresh.toString('base64') },
  })
  const session = await logIn(after, owner)
  const path = `/api/emoji_id/${encodeURIComponent('🦀🦀')}`
  const body = { insert: [{ tag: '0x5001', data: 'signed anew' }] }
  const edited = await after.patch(path, body, bearer(session.tokens.access_token))
  const proof = (await after.get(`${path}/proof`)).json()
  await after.close()
  await before.close()

  expect(wrapped).toBeGreaterThanOrEqual(2)
  expect(again).toBe(0)
  expect(edited.status).toBe(200)
  expect(proof).toMatchObject({ signature: { signer: expect.stringMatching(/^[0-9a-f]{64}$/) } })
})

it('second factors wrapped anew work under the new master key, confirmed or not yet', async () => {
  const before = await testService({ env: { MASTER_KEY: old.toString('base64') } })
  const [settled, setting] = [await register(before), await register(before)]
  const { ga_secret: secret } = await enableApp(before, settled)
  const prepared = await setting.post('/api/account/2fa', { provider: 'AuthenticatorApp' })
  const { ga_secret } = prepared.json<Enabled>()
  const sealer = createSealer([fresh, old])
  const wrapped = await rewrapSecondFactors(before.db, sealer)
  const again = await rewrapSecondFactors(before.db, sealer)
  const after = await testService({
    databaseUrl: before.database?.url ?? '',
    env: { MASTER_KEY: fresh.toString('base64') },
  })
  const given = await giveCode(
    after,
    (await logIn(after, settled)).tokens,
    authenticator(after, secret).next(),
  )
  const code = authenticator(after, ga_secret).code()
  const confirmed = await (await logIn(after, setting)).post('/api/account/2fa/confirm', { code })
  await after.close()
  await before.close()

  expect([wrapped, again]).toEqual([2, 0])
  expect([given.status, confirmed.status]).toEqual([200, 200])
})

it('seeds of lootboxes wrapped anew are revealed under the new master key', async () => {
  const before = await testService({ env: { MASTER_KEY: old.toString('base64') } })
  const admin = await registerAs(before, 'Admin')
  const box = await makeBox(admin, { status: 'Used', owner_id: admin.id })
  const revealed = await proofOf(before, box.id)
  const sealer = createSealer([fresh, old])
  const wrapped = await rewrapLootboxes(before.db, sealer)
  const again = await rewrapLootboxes(before.db, sealer)
  const after = await testService({
    databaseUrl: before.database?.url ?? '',
    env: { MASTER_KEY: fresh.toString('base64') },
  })
  const anew = await proofOf(after, box.id)
  await after.close()
  await before.close()

  expect([wrapped, again]).toEqual([1, 0])
  expect(anew).toEqual(revealed)
  expect(anew).toMatchObject({ seed: expect.stringMatching(/^[0-9a-f]{64}$/), recomputes: true })
})
