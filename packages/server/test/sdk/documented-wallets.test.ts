import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { sharedReachableService } from '../support/shared-service.ts'
import { createPayable } from '../support/wallet.ts'

/** Runs the programs of the quick start for wallets unchanged. */
const root = fileURLToPath(new URL('../../../..', import.meta.url))
const page = readFileSync(`${root}/docs/wallets.md`, 'utf8')
const blocks = [...page.matchAll(/^### (.+?)$.*?^```js\n(.*?)^```$.*?^```text\n(.*?)^```$/gms)]
const programs = blocks.map(([, title = '', code = '', output = '']) => ({
  title,
  code,
  message: output,
}))

const service = await sharedReachableService()
const { anna, api, newId } = await createPayable(service)
// 🔥🐍 is in the demonstration data.
await newId('🐙🦀')

describe('the quick start for wallets', () => {
  it('shows five programs, each with its output', () => {
    expect(programs).toHaveLength(5)
    expect(page.match(/^```js$/gm)).toHaveLength(5)
  })

  it.each(programs)('"$title" works', async ({ code, message }) => {
    const child = spawn(process.execPath, ['--input-type=module'], {
      cwd: root,
      env: { EMOJID_API: api, EMAIL: anna.email, PASSWORD: anna.password ?? '' },
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    child.stdin.end(code)
    const [output] = await Promise.all([text(child.stdout), once(child, 'exit')])
    expect(output).toBe(message)
    expect(child.exitCode).toBe(0)
  })
})
