// Every check there is. Arguments go to the test runner: npm test -- lookup
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installChromium } from './browser.mjs'
import { buildPages } from './build.mjs'
import { showAnswers } from './contract-table.mjs'
import { describeApi } from './describe-api.mjs'
import { install, root } from './install.mjs'

const args = process.argv.slice(2)
install()
installChromium()
describeApi()
buildPages()

const checks = [
  ['build', ['node_modules/typescript/bin/tsc', '-b']],
  ['types of the tests', ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.tests.json']],
  ['types of the web', ['node_modules/typescript/bin/tsc', '-p', 'packages/web']],
  ['lint', ['node_modules/@biomejs/biome/bin/biome', 'ci', '--error-on-warnings', '.']],
  ['nothing unused', ['node_modules/knip/bin/knip.js']],
]
const total = { passed: 0, failed: 0 }
// At the same time: none needs what another makes, and each leaves a core idle now and then.
const outcomes = checks.map(([, command]) => inBackground(command))
for (const [index, [name]] of checks.entries()) {
  const { passed, output } = await outcomes[index]
  console.log(`\n— ${name}\n${output}${passed ? 'passed' : 'FAILED'}`)
  if (passed) total.passed++
  else total.failed++
}

console.log('\n— tests')
const folder = mkdtempSync(join(tmpdir(), 'emojid-counts-'))
const counts = join(folder, 'counts.json')
const answers = join(folder, 'answers')
mkdirSync(answers)
const told = { TEST_COUNTS: counts, TEST_ANSWERS: answers }
const green = node(['node_modules/vitest/vitest.mjs', 'run', ...args], told)
const { passed, failed } = readCounts(counts)
total.passed += passed
total.failed += green ? failed : Math.max(failed, 1)

// Some of the tests do not ask for all of it.
if (args.length === 0) {
  console.log('\n— answers of every operation of the contract')
  if (showAnswers(answers)) total.passed++
  else total.failed++
}
rmSync(folder, { recursive: true })

console.log(`\n${total.passed} passed, ${total.failed} failed`)
process.exitCode = total.failed === 0 ? 0 : 1

function node(command, env = {}) {
  const options = { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } }
  return spawnSync(process.execPath, command, options).status === 0
}

/** What a command wrote, once it has ended. */
function inBackground(command) {
  const child = spawn(process.execPath, command, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text
    })
  }
  return new Promise((resolve) => {
    child.once('close', (status) => resolve({ passed: status === 0, output }))
  })
}

function readCounts(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return { passed: 0, failed: 1 }
  }
}
