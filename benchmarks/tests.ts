// Measures the tests in a fresh clone, on an idle machine and beside busy loops: npm run
// bench:tests
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { report } from './report.ts'

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

const folders: string[] = []
for (const kind of kinds) {
  const folder = mkdtempSync(join(tmpdir(), 'emojid-tests-'))
  folders.push(folder)
  git('clone', '--quiet', root, folder)
  const start = Date.now()
  const { stdout, stderr } = spawnSync('npm', commands[kind], {
    cwd: folder,
    env,
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
  })
  const minutes = Math.round((Date.now() - start) / 600) / 100
  const [, passedCount = 0, failedCount = 1] = /^(\d+) passed, (\d+) failed$/m.exec(stdout) ?? []
  const plainText = stripVTControlCharacters(`${stdout}\n${stderr}`)
  const failures = [...plainText.matchAll(/^.*FAIL.*$/gm)].map(([line]) => line.slice(0, 300))
  const run = { kind, commit: git('rev-parse', '--short', 'HEAD'), minutes }
  runs.push({ ...run, passed: Number(passedCount), failed: Number(failedCount), failures })
  if (Number(failedCount) > 0) {
    writeFileSync(`${folder}.log`, plainText)
    console.log(`Tests failed; see ${folder}.log.`)
  }
  report(new URL('.', import.meta.url), 'tests', { promised, runs })
}
// The file system works on for a while after it deleted thousands of files: only now.
for (const folder of folders) rmSync(folder, { recursive: true, force: true })
