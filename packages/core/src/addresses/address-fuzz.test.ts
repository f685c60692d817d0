import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const core = fileURLToPath(new URL('../../', import.meta.url))
let folder: string

describe('the checks in a separate process', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'core-fuzz-'))
    await build({
      root: core,
      configFile: false,
      logLevel: 'error',
      ssr: { noExternal: true },
      build: {
        ssr: join(core, 'test/fuzz-entry.ts'),
        outDir: folder,
        emptyOutDir: true,
        rollupOptions: { output: { entryFileNames: 'core.mjs' } },
      },
    })
  })
  afterAll(() => rm(folder, { recursive: true }))

  it('survive any input', async () => {
    const script = join(core, 'test/fuzz-checks.mjs')
    const examples = join(core, 'test-vectors/addresses-valid.txt')
    const seed = '20231115'
    const args = ['--max-old-space-size=128', script, join(folder, 'core.mjs'), examples, seed]
    const run = promisify(execFile)(process.execPath, args)
    const counts = JSON.parse((await run).stdout)
    expect(counts.strange).toEqual([])
    expect(counts.refused).toBeGreaterThan(3_000)
    expect(counts.accepted).toBeGreaterThan(60_000)
  })
})
