import type { ChildProcess } from 'node:child_process'
import { constants, setPriority } from 'node:os'

export type Limits = { timeLimitMs: number; signal: AbortSignal }

/** Resolves when the process ends with success. Kills it after the time limit or on abort. */
export function untilDone(child: ChildProcess, { timeLimitMs, signal }: Limits): Promise<void> {
  return new Promise((resolve, reject) => {
    let complaints = ''
    let reason: string | undefined
    const end = (cause: string) => {
      reason ??= cause
      child.kill('SIGKILL')
    }
    const stop = () => end('it was stopped')
    const timer = setTimeout(() => end(`it took more than ${timeLimitMs} ms`), timeLimitMs)
    const settle = (problem: string | undefined) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
      if (problem === undefined) resolve()
      else reject(new Error(`${child.spawnfile} failed: ${problem}`))
    }
    child.stderr?.on('data', (chunk) => {
      complaints = (complaints + chunk).slice(-2_000)
    })
    child.once('error', (error) => settle(error.message))
    child.once('close', (status, killedBy) => {
      if (status === 0) settle(undefined)
      else settle(reason ?? (complaints.trim() || `it ended with ${status ?? killedBy}`))
    })
    signal.addEventListener('abort', stop)
    if (signal.aborted) stop()
  })
}

/** Lowers the priority: processes that serve requests come first. */
export function yieldToOthers({ pid }: ChildProcess): void {
  try {
    if (pid) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // The process has ended, or the system refuses.
  }
}
