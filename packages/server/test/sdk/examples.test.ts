import { readdirSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { freePort } from '../support/process.ts'
import { startProgram } from '../support/programs.ts'
import { type TestService, testService } from '../support/service.ts'
import { bitcoin, createPayable, otherBitcoin, type Payable } from '../support/wallet.ts'
import { addEndpoint } from '../support/webhooks.ts'

let service: TestService
let payable: Payable
beforeAll(async () => {
  service = await testService({ reachable: true, env: { ROLES: 'api,auth,web,worker' } })
  payable = await createPayable(service)
})
afterAll(() => service.close())

it('every example has a test, here or in the two files of its guide', () => {
  const files = readdirSync(new URL('../../../../examples/', import.meta.url))
  expect(files.filter((file) => file !== 'README.md').sort()).toEqual([
    'log-in-with-an-id.mjs',
    'partner-flow.mjs',
    'pay-an-id.mjs',
    'receive-a-webhook.mjs',
  ])
})

describe('examples/pay-an-id.mjs', () => {
  const pay = (...args: string[]) =>
    startProgram('examples/pay-an-id.mjs', { EMOJID_API: payable.api }, args).finish()

  it('prints the proven address of an id, with the URI of the payment', async () => {
    expect(await pay('🔥🐍', 'BTC', '0.01')).toEqual({
      status: 0,
      output: `🔥🐍 takes BTC at ${bitcoin}\nbitcoin:${bitcoin}?amount=0.01\n`,
    })
  })

  it.each([
    [[' fire.snake ', 'DOGE'], '🔥🐍 takes no DOGE.\n'],
    [['🔥🐍', 'BTC', '1,5'], 'An amount must be a decimal number such as 0.25.\n'],
    [['🔥🈵'], '🈵 at position 2 is not one of the emojis that an emoji id can use.\n'],
    [['🐙🐙🐙🐙🐙'], '🐙🐙🐙🐙🐙 is not registered.\n'],
  ])('explains why it does not pay %o', async (args, output) => {
    expect(await pay(...args)).toEqual({ status: 1, output })
  })

  it('refuses to pay a suspended id', async () => {
    const id = await payable.newId()
    const path = `/api/admin/emoji_ids/${encodeURIComponent(id)}/suspend`
    expect((await payable.admin.post(path, { reason: 'A test' })).status).toBe(200)
    const output = 'Do not pay: the id is suspended.\n'
    expect(await pay(id)).toEqual({ status: 1, output })
  })
})

describe('examples/receive-a-webhook.mjs', () => {
  it('looks up the id of a verified webhook, and refuses others', async () => {
    const id = await payable.newId()
    const port = await freePort()
    // Other tests use 127.0.0.1.
    const url = `http://localhost:${port}/`
    const { id: endpointId, secret } = await addEndpoint(payable.anna, url)
    const env = { EMOJID_API: payable.api, WEBHOOK_SECRET: secret, PORT: String(port) }
    const program = startProgram('examples/receive-a-webhook.mjs', env)
    onTestFinished(program.stop)
    await program.waitFor('Listening')
    await payable.anna.post(`/api/webhook_endpoints/${endpointId}/test`)
    await program.waitFor('webhook.test')
    const headers = {
      'webhook-id': 'evt_forged',
      'webhook-timestamp': String(Math.floor(Date.now() / 1_000)),
      'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')}`,
    }
    expect((await fetch(url, { method: 'POST', headers, body: '{}' })).status).toBe(400)
    await program.waitFor('webhook_signature')
    await payable.setBitcoin(id, otherBitcoin)
    const line = `${id} takes BTC at ${otherBitcoin}`
    await program.waitFor(line)
    expect(program.output()).toMatch(/^Listening\nwebhook\.test\nwebhook_signature\n/)
    expect(program.output()).toContain(`${line}\n`)
  })
})
