import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { at } from '../support/ids.ts'
import { registerAs } from '../support/people.ts'
import { type TestService, testService } from '../support/service.ts'
import { otherBitcoin } from '../support/wallet.ts'

/** Runs the program of the guide unchanged. */
const root = fileURLToPath(new URL('../../../..', import.meta.url))
const page = readFileSync(`${root}/docs/events.md`, 'utf8')
const [, program = '', said = ''] = /^```js\n(.*?)^```$.*?^```text\n(.*?)^```$/ms.exec(page) ?? []

let service: TestService
beforeAll(async () => {
  service = await testService()
})
afterAll(() => service.close())

/** The output of the program, during which the directory changes. */
async function runProgram(change: () => Promise<{ status: number }>): Promise<string> {
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
  expect((await change()).status).toBe(200)
  expect(await exitCode).toEqual([0, null])
  return output
}

it('the program of the guide to events reports a change and looks the address up', async () => {
  expect(page.match(/^```js$/gm)).toHaveLength(1)
  const admin = await registerAs(service, 'Admin')
  const insert = [{ tag: '0x1003', data: otherBitcoin }]
  const change = () => admin.patch(at('🔥🐍'), { insert, reason: 'A test' })
  expect(await runProgram(change)).toBe(said)

  const path = `/api/admin/emoji_ids/${encodeURIComponent('🔥🐍')}/suspend`
  const output = await runProgram(() => admin.post(path, { reason: 'A test' }))
  expect(output).toContain('🔥🐍 emoji_id.suspended')
  expect(output).toContain('do not pay: ')
})
