import { expect, it } from 'vitest'
import { goodPassword, newcomer } from '../../../../test/support/people.ts'
import { keyPair } from '../../../../test/support/schnorr.ts'
import { sharedService } from '../../../../test/support/shared-service.ts'

const service = await sharedService()

it('the list of public keys shows the state of each own key, and no private key', async () => {
  const anna = await newcomer(service, { password: goodPassword })
  const [proven, listedKey] = [keyPair(), keyPair()]
  const claim = `The key ${proven.pubkey} belongs to the account ${anna.id}.`
  await anna.post(
    `/api/pubkeys/${proven.pubkey}/prove`,
    proven.sign('emojid/pubkey-proof/v1', claim),
  )
  await anna.post(`/api/pubkeys/${listedKey.pubkey}`)
  const own = (await anna.get('/api/account/pubkeys')).json<Record<string, string>[]>()
  expect(own.map(({ pubkey, state }) => [pubkey, state]).slice(1)).toEqual([
    [proven.pubkey, 'proven'],
    [listedKey.pubkey, 'unproven'],
  ])
  expect(own.map((key) => Object.keys(key).sort())).toEqual(
    own.map(() => ['created_at', 'pubkey', 'state']),
  )
  expect(own[0]?.['state']).toBe('kept_here')
  expect((await service.get('/api/account/pubkeys')).status).toBe(401)
})
