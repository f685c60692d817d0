import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './install.mjs'

/**
 * Returns what no test covered, a line per operation of the contract. Then it prints the statuses
 * that each operation responded with.
 */
export function findUncovered(folder) {
  const file = join(root, 'packages/server/test/contract/openapi.json')
  const operations = operationsOf(JSON.parse(readFileSync(file, 'utf8')))
  const answersByRoute = readAnswers(folder)
  const statuses = [
    ...new Set([...answersByRoute.values()].flatMap((actual) => [...actual])),
  ].sort()
  const width = Math.max(...operations.map(({ name }) => name.length))
  const table = [`${' '.repeat(width)}  ${statuses.join(' ')}`]
  const missing = []
  for (const { name, documented } of operations) {
    const actual = answersByRoute.get(name) ?? new Set()
    const cells = statuses.map((status) => (actual.has(status) ? status : '  ·'))
    table.push(`${name.padEnd(width)}  ${cells.join(' ')}`)
    const uncovered = missingOf(documented, [...actual])
    if (uncovered.length > 0) missing.push(`${name}: ${uncovered.join(', ')}`)
  }
  if (missing.length > 0) console.log(table.join('\n'))
  const coveredCount = operations.length - missing.length
  console.log(`${coveredCount} of ${operations.length} operations of the contract are covered.`)
  return missing
}

/** A covered operation shows each documented success, and a 4XX if one is documented. */
function missingOf(documented, actual) {
  const successes = documented.filter((status) => /^[23]/.test(status))
  const missing = successes.filter((status) => !actual.some((one) => matches(status, one)))
  const canFail = documented.some((status) => /^(4|default)/.test(status))
  return canFail && !actual.some((status) => status.startsWith('4')) ? [...missing, '4XX'] : missing
}

/** A documented status may be a range such as 3XX. */
const matches = (status, actual) => new RegExp(`^${status.replaceAll('X', '.')}$`).test(actual)

function operationsOf({ paths }) {
  return Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { responses }]) => ({
        name: `${method.toUpperCase().padEnd(6)} ${path}`,
        place: `${path} ${method}`,
        documented: Object.keys(responses),
      })),
    )
    .sort((a, b) => (a.place < b.place ? -1 : 1))
}

function readAnswers(folder) {
  const answersByRoute = new Map()
  for (const file of readdirSync(folder)) {
    for (const line of readFileSync(join(folder, file), 'utf8').trim().split('\n')) {
      const [method, path, status] = line.split(' ')
      const name = `${method.padEnd(6)} ${path}`
      answersByRoute.set(name, (answersByRoute.get(name) ?? new Set()).add(status))
    }
  }
  return answersByRoute
}
