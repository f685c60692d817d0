// npm test                runs every check
// npm test -- lookup      runs test files with “lookup” in their path, or else tests with it in their name;
//                         several words in a row of a name select that test
// npm run test:quick      runs the tests of most features, without browsers, faults, attacks and races
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { installChromium } from './browser.mjs'
import { showAnswers } from './contract-table.mjs'
import { describeApi } from './describe-api.mjs'
import { install, root } from './install.mjs'
import { memoryFolder, newRunFolder, remove, removeLeftFolders } from './run-folder.mjs'

const browserTests = 'packages/server/test/browser/'
/** The tests that need two thirds of the time. */
const longTests = [
  'packages/server/test/*/**',
  'packages/server/test/{access-matrix,audit*,backup,lists,rewrap,shipped-clients*}.test.ts',
  'packages/server/src/features/shop/{disputes,refunds,settlement}/**',
  'packages/server/src/features/directory/{pictures,transfers}/**',
  'packages/{sandbox,sdk}/test/**',
]
const isQuick = process.argv.includes('--quick')
const words = process.argv.slice(2).filter((word) => word !== '--quick')
if (process.argv.slice(2).some((word) => !word.trim())) {
  console.error('The selection is blank. Leave it out to run everything.')
  process.exit(1)
}
const selection = words.some((word) => !word.startsWith('-')) ? selectTests(words) : undefined
const isWhole = !selection && !isQuick
/** More need more memory (1.5 GB each), and more connections than PostgreSQL has. */
const browserWorkers = Math.min(Math.ceil(availableParallelism() / 2), 3)
const opensPages = selection
  ? selection.files.some((file) => file.startsWith(browserTests))
  : !isQuick
// Every service has the pages; the tests of most parts do not need the newest.
const needsPages = opensPages || !existsSync(join(root, 'packages/web/dist/index.html'))

// With several threads tsc checks the same declarations repeatedly and takes twice the CPU time.
const tsc = ['node_modules/typescript/bin/tsc', '--singleThreaded']
/** For tsc, which is written in Go: it takes a fifth longer when it collects garbage. */
const withoutCollector = { GOGC: 'off', GOMEMLIMIT: '1500MiB' }
const server = ['the server is built', [tsc[0], '-b', 'packages/server', tsc[1]]]
const programs = ['the programs are built', [tsc[0], '-b', tsc[1]]]
const pages = ['the pages are built', ['scripts/build-pages.mjs']]
const pictures = ['the pictures are made', ['scripts/make-pictures.mjs']]
const checks = [
  ['lint', ['node_modules/@biomejs/biome/bin/biome', 'ci', '--error-on-warnings', '.']],
  ['plain words', ['scripts/words.mjs']],
  ['types of the tests', [...tsc, '-p', 'tsconfig.tests.json']],
  ['types of the web', [...tsc, '-p', 'packages/web']],
  ['nothing unused', ['node_modules/knip/bin/knip.js']],
]

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

const chromium = opensPages ? installChromium() : undefined
install()
// The server takes longest and needs no description of the API.
const buildingServer = check(server)
const makingPictures = check(pictures)
describeApi()

const total = { passed: 0, failed: 0 }
const count = (isPassed) => {
  if (isPassed) total.passed++
  else total.failed++
}
const show = ({ name, passed, output }) => {
  console.log(`\n— ${name}\n${output}${passed ? 'passed' : 'FAILED'}`)
  count(passed)
}
const buildingPrograms = buildingServer.then((outcome) =>
  outcome.passed ? check(programs) : outcome,
)
const buildingPages = needsPages ? [check(pages)] : []
const runningChecks = selection ? [] : buildingPrograms.then(isQuick ? runAll : runBehind)
const builds = await Promise.all([makingPictures, buildingPrograms, ...buildingPages])
for (const outcome of builds) show(outcome)
await chromium

console.log('\n— tests')
const answers = join(folder, 'answers')
mkdirSync(answers)
const runningTests = [runTests(vitestArguments(), 'inherit')]
if (isWhole)
  runningTests.push(runTests([browserTests, `--maxWorkers=${browserWorkers}`, ...words], 'pipe'))
for (const { passed, failed, output } of await Promise.all(runningTests)) {
  if (output) console.log(`\n— tests in browsers\n${output}`)
  total.passed += passed
  total.failed += failed
}
for (const outcome of await runningChecks) show(outcome)

if (isWhole) {
  console.log('\n— responses of every operation of the contract')
  count(showAnswers(answers))
}
rmSync(folder, { recursive: true })

console.log(`\n${total.passed} passed, ${total.failed} failed`)
process.exitCode = total.failed === 0 ? 0 : 1

/**
 * The browser tests run in workers of their own: each worker starts a Chromium, and its pages are
 * cheaper once it has compiled the scripts.
 */
async function runTests(args, stdio) {
  const counts = join(folder, `counts-${stdio}.json`)
  const env = { ...process.env, TMPDIR: folder, TEST_COUNTS: counts, TEST_ANSWERS: answers }
  // A quarter of its work was collecting garbage in little room.
  const vitest = ['--max-semi-space-size=64', 'node_modules/vitest/vitest.mjs', 'run', ...args]
  const { isDone, output } = await run(vitest, { stdio: ['ignore', stdio, stdio], env })
  const { passed, failed } = readCounts(counts)
  // The text of a selection may stand in a file, but in the name of none of its tests.
  if (selection?.name && passed + failed === 0)
    console.log(`No test has “${selection.name}” in its name. Leave out placeholders such as %s.`)
  return { passed, failed: isDone && passed > 0 ? failed : Math.max(failed, 1), output }
}

function vitestArguments() {
  if (selection) return selection.args
  if (isWhole) return [`--exclude=${browserTests}**`, ...words]
  return [...longTests.map((path) => `--exclude=${path}`), ...words]
}

/** Selects tests by several words of their name, or files by a part of their path, or tests by one word. */
function selectTests(words) {
  const optionsAt = words.findIndex((word) => word.startsWith('-'))
  const texts = optionsAt < 0 ? words : words.slice(0, optionsAt)
  const options = words.slice(texts.length)
  if (options.some((word) => !word.startsWith('-'))) {
    console.error(
      'Put options last, with “=” before a value: npm test -- lookup --bail=1. ' +
        'To select tests by name, leave out -t.',
    )
    process.exit(1)
  }
  const all = testFiles()
  const name = texts.join(' ')
  const holding = (isIn) => all.filter((file) => isIn(readFileSync(join(root, file), 'utf8'), name))
  const withName = holding((source) => source.includes(name))
  const isName = texts.length > 1 && withName.length > 0
  const files = isName ? [] : all.filter((file) => texts.some((text) => file.includes(text)))
  if (files.length > 0) return { files, args: [...files, ...options] }
  const matching = withName.length > 0 ? withName : holding(hasJoinedName)
  if (matching.length === 0) {
    console.error(`No test file and no test has “${name}” in its name.`)
    process.exit(1)
  }
  const pattern = name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return { name, files: matching, args: [...matching, ...options, '-t', pattern] }
}

/** vitest puts the name of a `describe` before those of its tests. */
function hasJoinedName(source, name) {
  const words = name.split(' ')
  const hasWords = (from, to) => source.includes(words.slice(from, to).join(' '))
  return words.some((_, at) => hasWords(0, at) && hasWords(at))
}

function testFiles() {
  const entries = readdirSync(join(root, 'packages'), { recursive: true, encoding: 'utf8' })
  return entries
    .filter((path) => path.endsWith('.test.ts') && !/(^|\/)(node_modules|dist)\//.test(path))
    .map((path) => `packages/${path}`)
}

function runAll() {
  return Promise.all(checks.map((one) => check(one)))
}

/** The tests leave a core idle at times. One check after the other, behind the tests, fills it. */
async function runBehind() {
  const outcomes = []
  for (const one of checks) outcomes.push(await check(one, { niceness: 5 }))
  return outcomes
}

async function check([name, command], { niceness = 0 } = {}) {
  const env = { ...process.env, ...withoutCollector }
  const { isDone, output } = await run(command, { env, niceness })
  return { name, passed: isDone, output }
}

/** Each command has a process group, so that a signal stops what it started too. */
async function run(command, { env, stdio = ['ignore', 'pipe', 'pipe'], niceness = 0 }) {
  const child = spawn(process.execPath, command, { cwd: root, stdio, env, detached: true })
  if (niceness > 0 && child.pid) setPriority(child.pid, niceness)
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
    return { passed: 0, failed: 1 }
  }
}
