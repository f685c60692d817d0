import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { sendRaw } from '../../../test/support/raw.ts'
import { testProviders } from '../../../test/support/sandbox.ts'
import { createPlainServer } from './exchanges.ts'

const stray = '\u0016\u0003\u0001\r\n\r\n'

it('the server answers a valid request before it rejects the malformed bytes after it', async () => {
  const server = createPlainServer((_request, response) => {
    setImmediate(() => response.end('figures'))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const valid = 'GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n'
  const { status, text } = await sendRaw(port, valid + stray)
  expect([status, text.match(/HTTP\/1\.1 /g)?.length]).toEqual([200, 1])
  expect(text).toContain('figures')
  expect((await sendRaw(port, stray)).status).toBe(400)
  server.close()
})

it('the sandbox answers a valid request before it rejects the malformed bytes after it', async () => {
  const providers = await testProviders()
  const port = Number(new URL(providers.url).port)
  const valid = `POST /v1/checkout/sessions HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n`
  const { status, text } = await sendRaw(port, valid + stray)
  expect([status, text.match(/HTTP\/1\.1 /g)?.length]).toEqual([401, 1])
  expect((await sendRaw(port, stray)).status).toBe(400)
  await providers.close()
})
