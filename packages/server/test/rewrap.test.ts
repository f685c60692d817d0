import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { rewrapKeys } from '../src/features/keys/index.ts'
import { rewrapLootboxes } from '../src/features/lootboxes/index.ts'
import { rewrapMessages } from '../src/features/notifications/index.ts'
import { rewrapSecondFactors } from '../src/features/two-factor/index.ts'
import { createSealer } from '../src/platform/crypto/seal.ts'
import { makeBox, proofOf } from './support/lootboxes.ts'
import { bearer, logIn, register, registerAs } from './support/people.ts'
import { authenticator, type Enabled, enableApp, giveCode } from './support/second-factor.ts'
import { type TestService, testService } from './support/service.ts'

const [old, fresh] = [Buffer.alloc(32, 7), Buffer.alloc(32, 9)]

/** Everything else that the service has sealed by then: without it a start with the new key alone is refused. */
async function rewrapTheRest({ db }: TestService) {
  const sealer = createSealer([fresh, old])
  await rewrapKeys(db, sealer)
  await rewrapMessages(db, sealer)
}

const startAfter = (before: TestService, ...keys: Buffer[]) =>
  testService({
    databaseUrl: before.database?.url ?? '',
    env: { MASTER_KEY: keys.map((key) => key.toString('base64')).join(',') },
  })

it('private keys wrapped anew sign under the new master key, without the old one', async () => {
  const before = await testService({ env: { MASTER_KEY: old.toString('base64') } })
  const owner = await register(before)
  const admin = await registerAs(before, 'Admin')
  await admin.post('/api/admin/emoji_ids', { emoji_id: '🦀🦀', user_id: owner.id })
  const wrapped = await rewrapKeys(before.db, createSealer([fresh, old]))
  const again = await rewrapKeys(before.db, createSealer([fresh, old]))
  await rewrapTheRest(before)
  const after = await startAfter(before, fresh)
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
  await rewrapTheRest(before)
  const after = await startAfter(before, fresh)
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
  await rewrapTheRest(before)
  const after = await startAfter(before, fresh)
  const anew = await proofOf(after, box.id)
  await after.close()
  await before.close()

  expect([wrapped, again]).toEqual([1, 0])
  expect(anew).toEqual(revealed)
  expect(anew).toMatchObject({ seed: expect.stringMatching(/^[0-9a-f]{64}$/), recomputes: true })
})

it('a start is refused beside things of a key that is not there, until everything is wrapped anew', async () => {
  const before = await testService({ env: { MASTER_KEY: old.toString('base64') } })
  await register(before)
  await expect(startAfter(before, fresh)).rejects.toThrow(/MASTER_KEY.*\/secrets/)
  const both = await startAfter(before, fresh, old)
  await register(both)
  await both.close()
  await expect(startAfter(before, old)).rejects.toThrow('MASTER_KEY')
  await expect(startAfter(before, fresh)).rejects.toThrow('MASTER_KEY')
  await rewrapTheRest(before)
  const after = await startAfter(before, fresh)
  await after.close()
  await before.close()
})

it('what does not open any more is a 503 that operators find in the log', async () => {
  const service = await testService()
  const owner = await register(service)
  const admin = await registerAs(service, 'Admin')
  await admin.post('/api/admin/emoji_ids', { emoji_id: '🦀🦀', user_id: owner.id })
  await sql`
    update keys set sealed_private_key = overlay(sealed_private_key placing '00000000' from 4 for 8)
  `.execute(service.db)
  const body = { insert: [{ tag: '0x5001', data: 'unsigned' }] }
  const answer = await owner.patch(`/api/emoji_id/${encodeURIComponent('🦀🦀')}`, body)
  const { logged } = service
  await service.close()

  expect([answer.status, answer.json()['code']]).toEqual([503, 'locked_away'])
  expect(logged.filter((line) => line.includes('master key 00000000'))).toHaveLength(1)
})
