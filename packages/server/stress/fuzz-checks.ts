import { findViolations } from '../test/support/contract.ts'
import { quantile, round } from './account-stage.ts'
import { tally } from './commerce-stage.ts'
import type { Recipe } from './fuzz-requests.ts'
import { type Answer, curlOf, type FuzzRequest, patienceMs } from './fuzz-wire.ts'

type Fault = { what: string; times: number; curl: string }

const internalsPattern =
  /node_modules|\.[jt]s:\d+:\d+|syntax error at or near|violates \w+ constraint|pg_/

/** Invariants of every response. */
function faultsOf({ method, path }: FuzzRequest, answer: Answer | string): string[] {
  if (typeof answer === 'string') return [`was not answered: ${answer}`]
  const { status, headers, text, ms } = answer
  const faults: string[] = []
  if (status >= 500 && !isOverload(answer)) faults.push(`answered ${status}`)
  if (ms > patienceMs) faults.push(`took ${Math.round(ms)} ms`)
  if (internalsPattern.test(text)) faults.push('tells of the inside')
  const isBare = method === 'HEAD' || method === 'OPTIONS' || (status >= 300 && status < 400)
  const [apiPath = ''] = path.split('?')
  const isCsv = headers['content-type'] === 'text/csv; charset=utf-8'
  if (isBare || (isCsv && /\/(export|csv)$/.test(apiPath))) return faults
  if (headers['content-type'] !== 'application/json; charset=utf-8') {
    return [...faults, `${status} is ${headers['content-type']}`]
  }
  try {
    const broken = findViolations({ method, path: apiPath, status, body: text })
    faults.push(...broken.map((fault) => `${status} breaks ${fault}`))
  } catch (error) {
    faults.push(`${status} cannot be read: ${(error as Error).message}`)
  }
  return faults
}

const isOverload = ({ status, headers }: Answer): boolean =>
  status === 503 && headers['retry-after'] !== undefined

/** Counts responses, and keeps the shortest request for each kind of fault. */
export function createVerdict() {
  const statuses: Record<string, number> = {}
  const succeeded = new Set<string>()
  const faults = new Map<string, Fault>()
  const refusals = new Map<string, string[]>()
  const times: number[] = []
  let slowest = { operation: '', ms: 0 }
  const overloaded: string[] = []

  return {
    faults: () => [...faults.values()],
    judge(
      { operation, method }: Recipe,
      request: FuzzRequest,
      role: string,
      answer: Answer | string,
    ): void {
      const name = `${operation.method} ${operation.path}`
      const status = typeof answer === 'string' ? 'none' : String(answer.status)
      statuses[status] = (statuses[status] ?? 0) + 1
      if (typeof answer !== 'string') {
        times.push(answer.ms)
        if (answer.ms > slowest.ms) slowest = { operation: name, ms: round(answer.ms) }
        if (isOverload(answer)) overloaded.push(name)
        if (answer.status < 400 && method === operation.method) succeeded.add(name)
        if (answer.status >= 400) {
          const code = /"code":"([^"]+)"/.exec(answer.text)?.[1] ?? ''
          refusals.set(name, [...(refusals.get(name) ?? []), `${answer.status} ${code}`])
        }
      }
      for (const fault of faultsOf(request, answer)) {
        const place = `${name} ${fault}`
        const curl = curlOf(request, role)
        const before = faults.get(place)
        const isShorter = !before || curl.length < before.curl.length
        const times = (before?.times ?? 0) + 1
        faults.set(place, { what: place, times, curl: isShorter ? curl : before.curl })
      }
    },
    figures(names: readonly string[]) {
      const unlike = (pattern: RegExp) =>
        [...faults.values()]
          .filter(({ what }) => pattern.test(what))
          .reduce((sum, { times }) => sum + times, 0)
      return {
        answers: times.length,
        by_status: Object.fromEntries(Object.entries(statuses).sort()),
        operations: names.length,
        operations_that_succeeded: succeeded.size,
        never_succeeded: Object.fromEntries(
          names
            .filter((name) => !succeeded.has(name))
            .map((name) => [name, tally(refusals.get(name) ?? [])]),
        ),
        server_errors: unlike(/ answered 5/),
        contract_breaks: unlike(/ breaks | is | cannot be read/),
        leaks: unlike(/ tells of the inside/),
        unanswered: unlike(/ was not answered| took /),
        overloaded: tally(overloaded),
        p99_ms: round(quantile(times, 0.99)),
        slowest,
      }
    },
  }
}
