import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sharedReachableService } from '../support/shared-service.ts'
import { bitcoin, createPayable } from '../support/wallet.ts'

/** Both packages as installed by a user: a tarball, installed offline into an empty folder. */
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
const npm = (args: readonly string[], cwd: string) => execute('npm', [...args], { cwd, env })
const packages = ['sdk', 'cli'] as const

beforeAll(async () => {
  const files = []
  for (const name of packages) {
    const script = new URL(`../../../${name}/scripts/pack.mjs`, import.meta.url).href
    const { pack } = await import(/* @vite-ignore */ script)
    const published = await pack(join(folder, name))
    const { stdout } = await npm(['pack', published, '--json', '--silent'], folder)
    files.push(join(folder, JSON.parse(stdout)[0].filename))
  }
  mkdirSync(project)
  await npm(['install', '--offline', '--no-audit', '--no-fund', ...files], project)
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('outside the repository', () => {
  const emojid = (...args: string[]) =>
    execute(join(project, 'node_modules/.bin/emojid'), args, { cwd: project, env })

  it('the command looks up and pays', async () => {
    const id = await newId()
    expect(JSON.parse((await emojid('lookup', id)).stdout)).toMatchObject({ id })
    expect((await emojid('pay', id, 'BTC')).stdout).toContain(bitcoin)
    expect((await emojid('--version')).stdout).toBe('0.1.0\n')
    await expect(emojid('lookup', 'x')).rejects.toMatchObject({ code: 2 })
  })

  it('the SDK pays', async () => {
    const program = `import { createClient } from '@emojid/sdk'
const client = createClient({ api: process.env.EMOJID_API })
console.log((await client.pay('${await newId()}', { ticker: 'BTC' })).address)`
    writeFileSync(join(project, 'wallet.mjs'), program)
    const { stdout } = await execute(process.execPath, ['wallet.mjs'], { cwd: project, env })
    expect(stdout).toBe(`${bitcoin}\n`)
  })
})

it.each(packages)('the package %s excludes its sources', async (name) => {
  const packing = npm(['pack', '--dry-run'], join(root, 'packages', name))
  await expect(packing).rejects.toMatchObject({
    stderr: expect.stringContaining(`npm pack ./packages/${name}/published`),
  })
})
