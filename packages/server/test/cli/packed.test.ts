import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sharedReachableService } from '../support/shared-service.ts'
import { bitcoin, createPayable } from '../support/wallet.ts'

/** Both packages as installed by a user: packed, and installed offline into an empty folder. */
const root = fileURLToPath(new URL('../../../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'emojid-packed-'))
const project = join(folder, 'project')
const service = await sharedReachableService()
const { api, newId } = await createPayable(service)

const execute = promisify(execFile)
const env = {
  ...process.env,
  npm_config_cache: join(folder, 'cache'),
  npm_config_update_notifier: 'false',
  EMOJID_API: api,
  XDG_CONFIG_HOME: join(folder, 'config'),
}
const packages = ['sdk', 'cli'] as const

beforeAll(async () => {
  const published: string[] = []
  for (const name of packages) {
    const script = new URL(`../../../${name}/scripts/pack.mjs`, import.meta.url).href
    const { pack } = await import(/* @vite-ignore */ script)
    published.push(await pack(join(folder, name)))
  }
  mkdirSync(project)
  // It packs the folders and installs the contents of the packages, not links to the folders.
  const options = ['--offline', '--no-audit', '--no-fund', '--install-links']
  await execute('npm', ['install', ...options, ...published], { cwd: project, env })
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('outside the repository', () => {
  const emojid = (...args: string[]) =>
    execute(join(project, 'node_modules/.bin/emojid'), args, { cwd: project, env })

  it('the command pays, and prints only JSON', async () => {
    const { stdout, stderr } = await emojid('pay', await newId(), 'BTC')
    expect(JSON.parse(stdout)).toMatchObject({ address: bitcoin })
    expect(stderr).toBe('')
  })

  it('the SDK pays, and the command knows its version', async () => {
    const program = `import { createClient } from '@emojid/sdk'
const client = createClient({ api: process.env.EMOJID_API })
console.log((await client.pay('${await newId()}', { ticker: 'BTC' })).address)
process.argv[2] = '--version'
await import('./node_modules/@emojid/cli/bin/emojid.js')`
    writeFileSync(join(project, 'wallet.mjs'), program)
    const { stdout } = await execute(process.execPath, ['wallet.mjs'], { cwd: project, env })
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    expect(stdout).toBe(`${bitcoin}\n${version}\n`)
  })
})

it.each(packages)('the package %s excludes its sources', async (name) => {
  const cwd = join(root, 'packages', name)
  const { scripts } = JSON.parse(readFileSync(join(cwd, 'package.json'), 'utf8'))
  // npm runs it before it packs the folder; starting npm takes a second.
  const packing = execute('sh', ['-c', scripts.prepack], { cwd })
  await expect(packing).rejects.toMatchObject({
    stderr: expect.stringContaining(`npm pack ./packages/${name}/published`),
  })
})
