import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { at } from '../support/ids.ts'
import { registerAs } from '../support/people.ts'
import { startProgram } from '../support/programs.ts'
import { type TestService, testService } from '../support/service.ts'
import { otherBitcoin } from '../support/wallet.ts'

/** Runs the program of the guide unchanged. */
const page = readFileSync(new URL('../../../../docs/events.md', import.meta.url), 'utf8')
const [, code = '', said = ''] = /^```js\n(.*?)^```$.*?^```text\n(.*?)^```$/ms.exec(page) ?? []

let service: TestService
beforeAll(async () => {
  service = await testService()
})
afterAll(() => service.close())

/** The output of the program, during which the directory changes. */
async function runProgram(change: () => Promise<{ status: number }>): Promise<string> {
  const program = startProgram(code, { EMOJID_API: `${service.address}/api` })
  await program.waitFor('Watching')
  expect((await change()).status).toBe(200)
  const { status, output } = await program.finish()
  expect(status).toBe(0)
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
