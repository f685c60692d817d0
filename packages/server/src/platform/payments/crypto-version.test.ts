import { expect, it } from 'vitest'
import { testProviders } from '../../../test/support/sandbox.ts'
import { testService } from '../../../test/support/service.ts'

const startWith = (url: string, apiKey: string) =>
  testService({
    env: {
      BTCPAY_URL: url,
      BTCPAY_API_KEY: apiKey,
      BTCPAY_STORE_ID: 'store-1',
      BTCPAY_WEBHOOK_SECRET: 'gateway-hook',
    },
  })

it.each(['1.13.7', 'unknown'])('the service rejects BTCPay %s at the start', async (version) => {
  const providers = await testProviders({ version })
  const start = startWith(providers.url, providers.crypto.apiKey)
  await expect(start).rejects.toThrow(`is ${version}. Upgrade it to 2.0.0 or later`)
  await providers.close()
})

it.each(['2.0.0', '2.0.4+c1f3a5b', '2.10.1'])('the service accepts BTCPay %s', async (version) => {
  const providers = await testProviders({ version })
  const service = await startWith(providers.url, providers.crypto.apiKey)
  expect((await service.get('/health/live')).status).toBe(200)
  await service.close()
  await providers.close()
})

it('the service starts while BTCPay does not respond, and warns', async () => {
  const service = await startWith('http://127.0.0.1:9', 'key')
  expect(service.logged.join('')).toContain('could not be checked')
  await service.close()
})
