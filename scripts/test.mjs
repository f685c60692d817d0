// npm run check           runs the static checks: types, format, words, generated and unused code
// npm test                runs the static checks, then every test
// npm test -- lookup      checks the types, then runs test files with “lookup” in their path, or else
//                         tests with it in their name; several words in a row of a name select that test
// npm run test:quick      runs the static checks and the tests of most features, without browsers,
//                         faults, attacks and races
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'
import { installChromium } from './browser.mjs'
import { findUncovered } from './contract-table.mjs'
import { describeApi } from './describe-api.mjs'
import { install, root } from './install.mjs'
import { memoryFolder, newRunFolder, remove, removeLeftFolders } from './run-folder.mjs'

const browserTests = 'packages/server/test/browser/'
/** The tests that need two thirds of the time. */
const longTests = [
  'packages/server/test/*/**',
  'packages/server/test/{access-matrix,audit*,backup,lists,rewrap,shipped-clients*}.test.ts',
  'packages/server/src/features/shop/{disputes,refunds}/**',
  'packages/server/src/features/shop/purchases/{late-*,settlement}.test.ts',
  'packages/server/src/features/directory/{pictures,transfers}/**',
  'packages/{sandbox,sdk}/test/**',
]
/** `npm run generate` writes what they compare. Where all tests run, they are among them. */
const testsOfGeneratedFiles = [
  'packages/server/test/openapi.test.ts',
  'packages/core/test/data.test.ts',
]
const [isQuick, isCheck] = ['--quick', '--check'].map((option) => process.argv.includes(option))
const words = process.argv.slice(2).filter((word) => word !== '--quick' && word !== '--check')
if (words.some((word) => !word.trim())) {
  console.error('The selection is blank. Leave it out to run everything.')
  process.exit(1)
}
const selection = words.length > 0 && !words[0].startsWith('-') ? selectTests() : undefined
const isWhole = !selection && !isQuick && !isCheck
/** More need more memory (1.5 GB each), and more connections than PostgreSQL has. */
const browserWorkers = Math.min(Math.ceil(availableParallelism() / 2), 3)
const opensPages = isWhole || selection?.files.some((file) => file.startsWith(browserTests))

// With several threads tsc checks the same declarations repeatedly and takes twice the CPU time.
const tsc = ['node_modules/typescript/bin/tsc', '-b', '--singleThreaded']
/** For tsc, which is written in Go: it takes a fifth longer when it collects garbage. */
const withoutCollector = { GOGC: 'off', GOMEMLIMIT: '1500MiB' }
const vitest = ['node_modules/vitest/vitest.mjs', 'run']
const steps = {
  types: [
    'types of programs, tests and pages',
    [...tsc, '.', 'tsconfig.tests.json', 'packages/web'],
  ],
  generated: [
    'generated files (npm run generate writes them)',
    [...vitest, ...testsOfGeneratedFiles],
  ],
  words: ['plain words', ['scripts/words.mjs']],
  lint: [
    'format and lint (npm run lint:fix)',
    ['node_modules/@biomejs/biome/bin/biome', 'ci', '--error-on-warnings', '.'],
  ],
  figures: [
    'figures of the benchmarks (npm run generate writes them)',
    ['scripts/benchmarks-page.mjs', '--check'],
  ],
  unused: ['nothing unused', ['node_modules/knip/bin/knip.js']],
  programs: ['programs built', ['scripts/build-programs.mjs']],
  all: ['programs, pages and pictures built', ['scripts/install-and-build.mjs']],
}

/** Has the temporary files of all tests. */
const folder = newRunFolder(tmpdir())
const children = new Set()
let stopping
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  // npm passes on a Ctrl-C that this process gets too.
  process.on(signal, () => {
    stopping ??= stop()
  })
}

const total = { passed: 0, failed: 0 }
/** Each has a name and a text. */
const failures = []
const count = (name, isPassed, text) => {
  if (isPassed) total.passed++
  else {
    total.failed++
    failures.push({ name, text })
  }
}

const chromium = opensPages ? installChromium() : undefined
install()
describeApi()
await Promise.all([
  inOrder(['types']),
  inOrder(isCheck ? ['programs', 'generated'] : ['all']),
  inOrder(selection ? [] : ['words', 'figures', 'lint', 'unused']),
])
await chromium
if (!isCheck) await runAllTests()
rmSync(folder, { recursive: true })
showFailures()

console.log(`\n${total.passed} passed, ${total.failed} failed`)
process.exitCode = total.failed === 0 ? 0 : 1

async function runAllTests() {
  console.log('\n— tests')
  const answers = join(folder, 'answers')
  mkdirSync(answers)
  const running = [runTests(vitestArguments(), 'inherit', answers)]
  // Few workers start a Chromium each, whose pages are cheaper once it has compiled the scripts.
  // vitest runs projects with different numbers of workers one after the other.
  if (isWhole) {
    const inBrowsers = [browserTests, `--maxWorkers=${browserWorkers}`, ...words]
    running.push(runTests(inBrowsers, 'pipe', answers))
  }
  for (const { passed, failed, failures: ofRun, output } of await Promise.all(running)) {
    if (output) console.log(`\n— tests in browsers\n${output}`)
    total.passed += passed
    total.failed += failed
    failures.push(...ofRun)
  }
  if (!isWhole) return
  console.log()
  const uncovered = findUncovered(answers)
  count('operations that no test covers', uncovered.length === 0, uncovered.join('\n'))
}

/** Repeats them in the last hundred lines, which is what a CI server shows. */
function showFailures() {
  if (failures.length > 0) console.log('\n— failures')
  const lineCount = failures.length > 6 ? 3 : 15
  for (const { name, text } of failures.slice(0, 20)) {
    const lines = stripVTControlCharacters(text).trim().split('\n').slice(0, lineCount)
    console.log([`\n${name}`, ...lines.map((line) => `  ${line.slice(0, 200)}`)].join('\n'))
  }
  if (failures.length > 20) console.log(`\n${failures.length - 20} more failures stand above.`)
}

async function runTests(args, stdio, answers) {
  const counts = join(folder, `counts-${stdio}.json`)
  const env = { ...process.env, TMPDIR: folder, TEST_COUNTS: counts, TEST_ANSWERS: answers }
  // A quarter of its work was collecting garbage in little room.
  const command = ['--max-semi-space-size=64', ...vitest, ...args]
  const { isDone, output } = await run(command, { stdio: ['ignore', stdio, stdio], env })
  const { passed, failed, failures } = readCounts(counts)
  // The text of a selection may stand in a file, but in the name of none of its tests.
  if (selection?.name && passed + failed === 0)
    console.log(`No test has “${selection.name}” in its name. Leave out placeholders such as %s.`)
  if (isDone && passed > 0) return { passed, failed, failures, output }
  if (failures.length === 0) failures.push({ name: 'vitest', text: 'ended with no test counted' })
  return { passed, failed: Math.max(failed, 1), failures, output }
}

function vitestArguments() {
  if (selection) return selection.args
  const excluded = isWhole ? [`${browserTests}**`] : longTests
  return [...excluded.map((path) => `--exclude=${path}`), ...words]
}

/** Selects tests by several words of their name, or files by a part of their path, or tests by one word. */
function selectTests() {
  const optionsAt = words.findIndex((word) => word.startsWith('-'))
  const texts = optionsAt < 0 ? words : words.slice(0, optionsAt)
  const options = words.slice(texts.length)
  const all = testFiles()
  const name = texts.join(' ')
  const withName = all.filter((file) => readFileSync(join(root, file), 'utf8').includes(name))
  const isName = texts.length > 1 && withName.length > 0
  const files = isName ? [] : all.filter((file) => texts.some((text) => file.includes(text)))
  if (files.length > 0) return { files, args: [...files, ...options] }
  // vitest puts the name of a `describe` before those of its tests, so no file may have the whole.
  const pattern = name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return { name, files: withName, args: [...withName, ...options, '-t', pattern] }
}

function testFiles() {
  const entries = readdirSync(join(root, 'packages'), { recursive: true, encoding: 'utf8' })
  return entries
    .filter((path) => path.endsWith('.test.ts') && !/(^|\/)(node_modules|dist)\//.test(path))
    .map((path) => `packages/${path}`)
}

/** Prints the outcome of each step as soon as it is known. */
async function inOrder(names) {
  for (const name of names) {
    const [title, command] = steps[name]
    const start = Date.now()
    const env = { ...process.env, ...withoutCollector, TMPDIR: folder }
    const { isDone, output } = await run(command, { env })
    const seconds = Math.round((Date.now() - start) / 1_000)
    console.log(
      `${isDone ? '' : `\n${output}`}${isDone ? 'passed' : 'FAILED'}: ${title} (${seconds} s)`,
    )
    // vitest first prints what passed.
    count(title, isDone, output.slice(Math.max(output.indexOf(' FAIL '), 0)))
  }
}

/** Each command has a process group, so that a signal stops what it started too. */
async function run(command, { env, stdio = ['ignore', 'pipe', 'pipe'] }) {
  const child = spawn(process.execPath, command, { cwd: root, stdio, env, detached: true })
  children.add(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text) => {
      output += text
    })
  }
  const [status] = await once(child, 'close')
  // A stopped run continues no further.
  await stopping
  children.delete(child)
  return { isDone: status === 0, output }
}

/** PostgreSQL has process groups of its own. It ends with the process that started it. */
async function stop() {
  await Promise.all([...children].map(({ pid }) => stopGroup(pid)))
  remove(folder)
  removeLeftFolders(memoryFolder)
  process.exit(1)
}

/** SIGKILL ends processes that SIGTERM does not end within seconds. */
async function stopGroup(pid) {
  const killAt = Date.now() + 3_000
  signalGroup(pid, 'SIGTERM')
  while (signalGroup(pid, 0) && Date.now() < killAt) await sleep(50)
  signalGroup(pid, 'SIGKILL')
}

function signalGroup(pid, signal) {
  try {
    return process.kill(-pid, signal)
  } catch {
    return false
  }
}

function readCounts(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return { passed: 0, failed: 1, failures: [] }
  }
}
