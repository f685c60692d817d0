import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
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
  it('the quick start for wallets shows four programs, each with its output', () => {
    expect(programs).toHaveLength(4)
    expect(page.match(/^```js$/gm)).toHaveLength(4)
  })

  it('the quick start for wallets has programs that work', async () => {
    // One process: each program has its own module, but the SDK is loaded once.
    const folder = mkdtempSync(join(root, 'node_modules/.quick-start-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    for (const [nth, { code }] of programs.entries()) {
      writeFileSync(join(folder, `${nth}.mjs`), code)
    }
    const runAll = programs.map(
      ({ title }, nth) => `console.log(${JSON.stringify(title)}); await import('./${nth}.mjs')`,
    )
    writeFileSync(join(folder, 'all.mjs'), runAll.join('\n'))
    const { stdout } = await promisify(execFile)(process.execPath, [join(folder, 'all.mjs')], {
      env: { EMOJID_API: api, EMAIL: anna.email, PASSWORD: anna.password ?? '' },
    })
    expect(stdout).toBe(programs.map(({ title, message }) => `${title}\n${message}`).join(''))
  })
})
