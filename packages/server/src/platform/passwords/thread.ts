import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import type { Options } from '@node-rs/argon2'

/** The priority of the thread: a tenth of a core if two are busy. */
const niceness = 10

// Inline rather than a file, so that it runs the same from source and when built.
const program = `
  const { parentPort, workerData } = require('node:worker_threads')
  const { hashSync, verifySync } = require(workerData.argon2)
  const work = { hash: hashSync, verify: verifySync }
  try {
    const [thread] = require('node:fs').readlinkSync('/proc/thread-self').split('/').slice(-1)
    require('node:os').setPriority(Number(thread), workerData.niceness)
  } catch {}
  parentPort.on('message', ({ id, job, args }) => {
    try {
      parentPort.postMessage({ id, result: work[job](...args) })
    } catch (error) {
      parentPort.postMessage({ id, error })
    }
  })`

export type HashThread = ReturnType<typeof createHashThread>

type Answer = { id: number; result?: unknown; error?: Error }
type PendingTask = { resolve(result: unknown): void; reject(error: Error): void }

/**
 * A thread for Argon2. On Linux it has a lower priority, so that lookups keep their core during
 * sign-ins.
 */
export function createHashThread() {
  let worker: Worker | undefined
  let lastId = 0
  const calls = new Map<number, PendingTask>()
  const open = () => {
    const argon2 = createRequire(import.meta.url).resolve('@node-rs/argon2')
    const startedWorker = new Worker(program, { eval: true, workerData: { argon2, niceness } })
    startedWorker.on('message', ({ id, result, error }: Answer) => {
      const asker = calls.get(id)
      calls.delete(id)
      if (calls.size === 0) startedWorker.unref()
      if (error) asker?.reject(error)
      else asker?.resolve(result)
    })
    const drop = (error: Error) => {
      if (worker === startedWorker) worker = undefined
      for (const { reject } of calls.values()) reject(error)
      calls.clear()
    }
    startedWorker.once('error', drop)
    startedWorker.once('exit', () => drop(new Error('The password thread stopped')))
    return startedWorker
  }
  const ask = (job: 'hash' | 'verify', args: unknown[]): Promise<unknown> =>
    new Promise((resolve, reject) => {
      worker ??= open()
      const id = ++lastId
      calls.set(id, { resolve, reject })
      worker.ref()
      worker.postMessage({ id, job, args })
    })
  return {
    hash: (password: string, cost: Options) => ask('hash', [password, cost]) as Promise<string>,
    verify: async (storedHash: string, password: string) =>
      (await ask('verify', [storedHash, password])) === true,
    stop: async () => void (await worker?.terminate()),
  }
}
