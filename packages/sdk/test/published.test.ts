import { execFileSync, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../..', import.meta.url))
/** A project with only this package installed. */
const project = mkdtempSync(join(tmpdir(), 'emojid-sdk-'))
const installed = join(project, 'node_modules/@emojid/sdk')
afterAll(() => rmSync(project, { recursive: true }))

beforeAll(async () => {
  const script = new URL('../scripts/pack.mjs', import.meta.url).href
  const { pack } = await import(/* @vite-ignore */ script)
  mkdirSync(installed, { recursive: true })
  await pack(installed)
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }')
})

const program = `
import { createClient, EmojidError, InvalidIdError, memoryTokens, parseTypedId } from '@emojid/sdk'
import { createAddressBook, type Check, webStorage } from '@emojid/sdk/address-book'
import { createLookup, type Directory, type Lookup, type LookupOutcome } from '@emojid/sdk/lookup'
import { verifyProof } from '@emojid/sdk/verify'

const api = 'https://directory.example/api'
export const client = createClient({ api, verify: verifyProof, tokens: memoryTokens() })
export const book = createAddressBook({ client })
export async function all(): Promise<number> {
  let cents = 0
  for await (const order of client.api.orders.listOrders.each({ query: { status: 'Paid' } })) {
    cents += order.total_in_cents
  }
  return cents
}
export const said = ({ status }: Check): string => status
export const small: Directory = createLookup({ api })
export type Answer = Lookup | LookupOutcome
export const wrong = [
  // @ts-expect-error an amount is a text
  () => client.pay('🔥', { ticker: 'BTC', amount: 1 }),
  // @ts-expect-error this list has no pages
  () => client.api.keys.listPubkeys.each,
  // @ts-expect-error the path is needed
  () => client.api.orders.getOrder(),
]
void [EmojidError, webStorage]
try {
  await client.lookup('nonsense')
} catch (error) {
  console.log(error instanceof InvalidIdError, error instanceof EmojidError, parseTypedId('fire.snake'))
}
`

describe('the published package', () => {
  it('the published package has no dependencies, and imports only its own files', () => {
    const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
    expect(manifest.dependencies).toBeUndefined()
    const files = readdirSync(installed, { recursive: true, encoding: 'utf8' })
    const imports = files
      .filter((name) => /\.(js|d\.ts)$/.test(name))
      .flatMap(
        (name) =>
          readFileSync(join(installed, name), 'utf8').match(/^.*\bfrom\s+['"][^.'"].*$/gm) ?? [],
      )
      .filter((line) => !/^\s*(\*|\/)/.test(line))
    expect(imports).toEqual([])
  })

  it('links to nothing outside of it', () => {
    for (const name of ['README.md', 'wallets.md']) {
      const links = readFileSync(join(installed, name), 'utf8').matchAll(/\]\(([^)]+)\)/g)
      for (const [, link = ''] of links) {
        expect(existsSync(join(installed, link)) || link.startsWith('#'), link).toBe(true)
      }
    }
  })

  it('the published package has valid types', () => {
    writeFileSync(join(project, 'program.ts'), program)
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    const options = '--strict --module nodenext --target es2022 --lib es2023,dom --types'
    const args = [tsc, ...options.split(' '), '', '--exactOptionalPropertyTypes', 'program.ts']
    const { stdout } = spawnSync(process.execPath, args, { cwd: project, encoding: 'utf8' })
    expect(stdout).toBe('')
  })

  it('runs in Node', () => {
    const output = execFileSync(process.execPath, ['program.js'], {
      cwd: project,
      encoding: 'utf8',
    })
    // The address has no server, and the invalid id is rejected before a request.
    expect(output).toBe('true true 🔥🐍\n')
  })
})
