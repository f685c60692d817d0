import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

/** Writes the counts and the failures of a test run to the file that scripts/test.mjs reads. */
export default class CountReporter {
  onInit(vitest) {
    // A run by name skips the other tests on purpose. In any other run a skipped test counts as failed.
    this.isByName = vitest.config.testNamePattern !== undefined
  }

  onTestRunEnd(modules, errors) {
    const target = process.env.TEST_COUNTS
    if (!target) return
    const outside = errors.map((error) => ({ name: 'outside the tests', text: describe(error) }))
    const counts = { passed: 0, failed: errors.length, failures: outside }
    for (const module of modules) {
      const tests = [...module.children.allTests()]
      if (module.state() === 'failed' && tests.length === 0) counts.failed++
      // A hook that fails makes vitest skip the tests that it is for.
      for (const part of [module, ...module.children.allSuites()])
        if (part.errors().length > 0) counts.failures.push(failureOf(part, part.errors()))
      for (const test of tests) {
        const { state, errors } = test.result()
        if (state === 'passed') counts.passed++
        else if (state !== 'skipped' || !this.isByName) {
          counts.failed++
          counts.failures.push(failureOf(test, errors ?? [{ message: state }]))
        }
      }
    }
    writeFileSync(target, JSON.stringify(counts))
  }
}

function failureOf(part, errors) {
  const file = (part.module ?? part).relativeModuleId
  const name = part.fullName ? `${file} > ${part.fullName}` : file
  return { name, text: errors.map(describe).join('\n') }
}

/** The message, its place and the difference. */
function describe({ name, message, stacks = [], stack = '', diff = '' }) {
  const places = stacks
    .filter(({ file }) => !file.startsWith('node:'))
    .map(({ file, line }) => `  at ${relative(process.cwd(), file)}:${line}`)
  const differences = linesOf(diff).filter((line) => /^[-+]/.test(line))
  return [
    ...linesOf(name ? `${name}: ${message}` : message).slice(0, 5),
    ...(places.length > 0 ? places : linesOf(stack).slice(1)).slice(0, 3),
    ...differences.slice(0, 7),
  ].join('\n')
}

const linesOf = (text) =>
  stripVTControlCharacters(text)
    .split('\n')
    .filter((line) => line.trim())
