import { expect, it } from 'vitest'
import { testProviders } from '../../../test/support/sandbox.ts'
import { testService } from '../../../test/support/service.ts'
import { createLog } from '../log/log.ts'
import { assertBtcpayVersion } from './crypto-version.ts'

const startWith = (url: string, apiKey: string) =>
  testService({
    env: {
      BTCPAY_URL: url,
      BTCPAY_API_KEY: apiKey,
      BTCPAY_STORE_ID: 'store-1',
      BTCPAY_WEBHOOK_SECRET: 'gateway-hook',
    },
  })

it('the service rejects an outdated BTCPay at the start', async () => {
  const providers = await testProviders({ version: '1.13.7' })
  const start = startWith(providers.url, providers.crypto.apiKey)
  await expect(start).rejects.toThrow('is 1.13.7. Upgrade it to 2.0.0 or later')
  await providers.close()
})

it.each(['2.0.0', '2.0.4+c1f3a5b', '2.10.1', 'unknown'])(
  'only versions from 2.0.0 on are accepted: %s',
  async (version) => {
    const providers = await testProviders({ version })
    const options = { url: providers.url, apiKey: providers.crypto.apiKey }
    const check = assertBtcpayVersion(options, createLog('silent'))
    if (version === 'unknown') await expect(check).rejects.toThrow(`is ${version}. Upgrade it`)
    else await expect(check).resolves.toBeUndefined()
    await providers.close()
  },
)

it('the service starts while BTCPay does not respond, and warns', async () => {
  const service = await startWith('http://127.0.0.1:9', 'key')
  expect(service.logged.join('')).toContain('could not be checked')
  await service.close()
})
