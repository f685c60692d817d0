import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { at } from '../support/ids.ts'
import { registerAs } from '../support/people.ts'
import { testService } from '../support/service.ts'
import { otherBitcoin } from '../support/wallet.ts'

/** Runs the program of the guide unchanged. */
const root = fileURLToPath(new URL('../../../..', import.meta.url))
const page = readFileSync(`${root}/docs/events.md`, 'utf8')
const [, program = '', said = ''] = /^```js\n(.*?)^```$.*?^```text\n(.*?)^```$/ms.exec(page) ?? []

const service = await testService()
afterAll(() => service.close())

it('the program of the guide to events reports a change and looks the address up', async () => {
  expect(page.match(/^```js$/gm)).toHaveLength(1)
  const admin = await registerAs(service, 'Admin')
  const child = spawn(process.execPath, ['--input-type=module'], {
    cwd: root,
    env: { EMOJID_API: `${service.address}/api` },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin.end(program)
  let output = ''
  child.stdout.setEncoding('utf8')
  const isWatching = new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk) => {
      output += chunk
      if (output.includes('Watching')) resolve()
    })
  })
  const exitCode = once(child, 'exit')
  await Promise.race([isWatching, exitCode])
  const insert = [{ tag: '0x1003', data: otherBitcoin }]
  const answer = await admin.patch(at('🔥🐍'), { insert, reason: 'A test' })
  expect(answer.status).toBe(200)
  await exitCode
  expect(output).toBe(said)
})
