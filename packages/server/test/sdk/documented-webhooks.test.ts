import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { newcomer } from '../support/people.ts'
import { freePort } from '../support/process.ts'
import { type TestService, testService } from '../support/service.ts'
import { waitUntil } from '../support/wait.ts'
import { addEndpoint } from '../support/webhooks.ts'

/** Runs the program of the guide unchanged. */
const root = fileURLToPath(new URL('../../../..', import.meta.url))
const page = readFileSync(`${root}/docs/webhooks.md`, 'utf8')
const [, program = '', printed = ''] =
  /^```js\n(.*?)^```$.*?^```text\n(.*?)^```$/ms.exec(page) ?? []

let service: TestService
beforeAll(async () => {
  service = await testService({ env: { ROLES: 'api,auth,web,worker' } })
})
afterAll(() => service.close())

it('the receiver of the guide accepts our webhooks and refuses others', async () => {
  expect(page.match(/^```js$/gm)).toHaveLength(1)
  const owner = await newcomer(service, { isVerified: true })
  const port = await freePort()
  // Other tests use 127.0.0.1.
  const url = `http://localhost:${port}/`
  const { id, secret } = await addEndpoint(owner, url)
  const child = spawn(process.execPath, ['--input-type=module'], {
    cwd: root,
    env: { WEBHOOK_SECRET: secret, PORT: String(port) },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const exitCode = once(child, 'exit')
  child.stdin.end(program)
  let output = ''
  child.stdout.setEncoding('utf8')
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  await waitUntil(() => output.includes('Listening'))
  await owner.post(`/api/webhook_endpoints/${id}/test`)
  await waitUntil(() => output.includes('webhook.test'))
  const headers = {
    'webhook-id': 'evt_forged',
    'webhook-timestamp': String(Math.floor(Date.now() / 1_000)),
    'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')}`,
  }
  expect((await fetch(url, { method: 'POST', headers, body: '{}' })).status).toBe(400)
  await waitUntil(() => output.includes('webhook_signature'))
  child.kill()
  await exitCode
  expect(output).toBe(printed)
})
