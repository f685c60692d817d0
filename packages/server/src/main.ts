import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { type Config, readConfig } from './config.ts'
import { createLog } from './platform/log/log.ts'
import { portError } from './port-error.ts'
import { type Service, startService } from './service.ts'
import { missingPrograms, welcome } from './welcome.ts'

/** After the drain: two seconds for requests, then jobs, counts and the database. */
const stopTimeoutMs = 8_500
const signals = ['SIGINT', 'SIGTERM'] as const

try {
  await start(readConfig(process.env))
} catch (error) {
  process.stderr.write(`${explain(error)}\n`)
  process.exit(1)
}

async function start(config: Config): Promise<void> {
  const service = await startService({
    config,
    log: createLog(config.log_level),
    warmsUp: true,
    // Immediately: no later start has these secrets, even if this one fails.
    announce: (line) => process.stdout.write(`${line}\n`),
  }).catch((error) => {
    throw portError(error, config) ?? error
  })
  process.stdout.write(welcome(config, await missingPrograms(config)))
  collectGarbage()
  for (const signal of signals) process.once(signal, () => leave(service, config.drain_ms))
}

async function leave(service: Service, drainMs: number): Promise<void> {
  for (const signal of signals) process.once(signal, () => process.exit(1))
  setTimeout(() => process.exit(1), drainMs + stopTimeoutMs).unref()
  await service.stop()
  process.exit(0)
}

/** A fifth of the memory of an idle process is left over from its start: V8 would keep it for hours. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}

/** Configuration errors print a sentence; bugs keep their stack trace. */
function explain(error: unknown): string {
  if (!(error instanceof Error) || error instanceof TypeError) return String((error as Error).stack)
  const reason = error.cause instanceof Error ? error.cause.message : ''
  const cause = error.message.includes(reason) ? '' : `\n  ${reason}`
  return `${error.message}${cause}`
}
