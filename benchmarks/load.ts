import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

type Task = {
  port: number
  paths: string[]
  connections: number
  host?: string
  /** Lines of fields that each request has. */
  headers?: string[]
  /** A request that each connection sends first. */
  first?: string
  /** The process whose processor time is measured. */
  pid?: number | undefined
  /**
   * Requests per second. Without a rate, every connection sends its next request as soon as the
   * response arrives.
   */
  rate?: number
  /** Warm-up before the measurement. */
  warm_up_ms?: number
  measured_ms?: number
  /**
   * Each request comes from another network, as from many clients. The service must trust 127.0.0.1
   * as a proxy.
   */
  many_networks?: boolean
  /** Counts failed requests instead of throwing. */
  mayFail?: boolean
}
export type Result = {
  per_second: number
  /** Processor time of `pid` per request, in microseconds. */
  cpu_us: number
  p95_ms: number
  p99_ms: number
  failed: number
}

/** `status` is the expected one, if it is not 200. */
export type Target = { port: number; pid: number | undefined; status?: number | undefined }

/** Loads the service from a separate process. */
export async function load(task: Task): Promise<Result> {
  const result = await run<Result>({ warm_up_ms: 1_000, measured_ms: 3_000, ...task })
  if (result.failed > 0 && !task.mayFail) throw new Error(`${result.failed} requests failed`)
  return result
}

/** Loads the targets in turn with the same requests; the figures of each in order. */
export const loadInTurn = (
  task: Omit<Task, 'port'> & { targets: Target[]; rounds: number },
): Promise<Result[][]> => run(task)

async function run<Figures>(task: object): Promise<Figures> {
  const child = script('load.mjs')
  child.stdin?.end(JSON.stringify(task))
  let text = ''
  for await (const chunk of child.stdout ?? []) text += chunk
  return JSON.parse(text)
}

export function script(name: string, args: string[] = []): ChildProcess {
  const file = fileURLToPath(new URL(name, import.meta.url))
  return spawn(process.execPath, [file, ...args], { stdio: ['pipe', 'pipe', 'inherit'] })
}

export function median(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0
}
