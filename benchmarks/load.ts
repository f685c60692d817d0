import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

type Task = {
  port: number
  paths: string[]
  connections: number
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
export type Result = { per_second: number; p95_ms: number; p99_ms: number; failed: number }

/** Loads the service from a separate process. */
export async function load(task: Task): Promise<Result> {
  const child = script('load.mjs')
  child.stdin?.end(JSON.stringify({ warm_up_ms: 1_000, measured_ms: 3_000, ...task }))
  let text = ''
  for await (const chunk of child.stdout ?? []) text += chunk
  const result: Result = JSON.parse(text)
  if (result.failed > 0 && !task.mayFail) throw new Error(`${result.failed} requests failed`)
  return result
}

export function script(name: string, args: string[] = []): ChildProcess {
  const file = fileURLToPath(new URL(name, import.meta.url))
  return spawn(process.execPath, [file, ...args], { stdio: ['pipe', 'pipe', 'inherit'] })
}

export function median(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0
}
