import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const core = fileURLToPath(new URL('../../', import.meta.url))

it('the checks in a separate process survive any input', async () => {
  const script = join(core, 'test/fuzz-checks.mjs')
  const examples = join(core, 'test-vectors/addresses-valid.txt')
  const seed = '20231115'
  const args = ['--max-old-space-size=128', script, examples, seed]
  const run = promisify(execFile)(process.execPath, args)
  const counts = JSON.parse((await run).stdout)
  expect(counts.strange).toEqual([])
  expect(counts.refused).toBeGreaterThan(3_000)
  expect(counts.accepted).toBeGreaterThan(8_000)
})
