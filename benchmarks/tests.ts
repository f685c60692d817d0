// Measures the tests in a fresh clone, on an idle machine and beside busy loops: npm run
// bench:tests
// Some runs only, added to the last result: npm run bench:tests -- RUNS=quiet,busy CONTINUE=true
import { spawnSync } from 'node:child_process'
import { pbkdf2Sync } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { processorSeconds, report } from './report.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const promised = { quiet_minutes: 8, failed: 0 }
const commands = { quiet: ['test'], busy: ['run', 'test:busy'] }
type Kind = keyof typeof commands

const runsOption = process.argv.find((word) => word.startsWith('RUNS='))?.slice('RUNS='.length)
const kinds = (runsOption ?? 'quiet,busy,quiet,busy,quiet').split(',') as Kind[]
const file = new URL('results/tests.json', import.meta.url)
const isContinued = process.argv.includes('CONTINUE=true')
const runs: object[] = isContinued ? JSON.parse(readFileSync(file, 'utf8')).runs : []

// Vite set NODE_ENV for this program; the measured command runs without it.
const { NODE_ENV: _, ...env } = process.env
const git = (...args: string[]) =>
  spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout.trim()

/** A fixed computation: a machine that shares its cores is up to twice as slow at some times. */
function measureMachine(): number {
  const before = process.cpuUsage()
  pbkdf2Sync('password', 'salt', 3_000_000, 32, 'sha256')
  return Math.round(process.cpuUsage(before).user / 10_000) / 100
}

const folders: string[] = []
for (const kind of kinds) {
  const folder = mkdtempSync(join(tmpdir(), 'emojid-tests-'))
  folders.push(folder)
  git('clone', '--quiet', root, folder)
  const computationSeconds = measureMachine()
  const start = Date.now()
  const processorStart = processorSeconds()
  const { stdout, stderr } = spawnSync('npm', commands[kind], {
    cwd: folder,
    env,
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
  })
  const minutes = Math.round((Date.now() - start) / 600) / 100
  const processorMinutes = Math.round((processorSeconds() - processorStart) / 0.6) / 100
  const [, passedCount = 0, failedCount = 1] = /^(\d+) passed, (\d+) failed$/m.exec(stdout) ?? []
  const plainText = stripVTControlCharacters(`${stdout}\n${stderr}`)
  const failures = [...plainText.matchAll(/^.*FAIL.*$/gm)].map(([line]) => line.slice(0, 300))
  runs.push({
    kind,
    commit: git('rev-parse', '--short', 'HEAD'),
    minutes,
    processor_minutes: processorMinutes,
    computation_seconds: computationSeconds,
    passed: Number(passedCount),
    failed: Number(failedCount),
    failures,
  })
  if (Number(failedCount) > 0) {
    writeFileSync(`${folder}.log`, plainText)
    console.log(`Tests failed; see ${folder}.log.`)
  }
  report(new URL('.', import.meta.url), 'tests', { promised, runs })
}
// The file system works on for a while after it deleted thousands of files: only now.
for (const folder of folders) rmSync(folder, { recursive: true, force: true })
