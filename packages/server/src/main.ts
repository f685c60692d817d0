import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { type Config, ConfigError, readConfig } from './config.ts'
import { shareBuckets } from './platform/http/limits.ts'
import { createLog } from './platform/log/log.ts'
import { bucketsFd, type Part, readPart, shareWith } from './platform/processes.ts'
import { portError } from './port-error.ts'
import { type Service, startService } from './service.ts'
import { configOfPart, type FromPart, misconfigured, supervise, type ToPart } from './supervisor.ts'
import { missingPrograms, welcome } from './welcome.ts'

/** After the drain: two seconds for requests, then jobs, counts and the database. */
const stopTimeoutMs = 8_500
const signals = ['SIGINT', 'SIGTERM'] as const

const part = readPart(process.env)
if (part) {
  // Of a killed supervisor. An ordinary exit can wait for ever for a thread that is starting.
  process.prependListener('disconnect', () => process.kill(process.pid, 'SIGKILL'))
  // A terminal sends both to all processes, and the supervisor decides.
  for (const signal of ['SIGINT', 'SIGHUP']) process.on(signal, () => {})
}
try {
  const config = readConfig(process.env)
  if (part) await startPart(configOfPart(config, part), part)
  else if (config.processes > 1) await supervise(config, stopTimeoutMs)
  else await start(config)
} catch (error) {
  process.stderr.write(`${explain(error)}\n`)
  process.exit(part && error instanceof ConfigError ? misconfigured : 1)
}

async function start(config: Config): Promise<void> {
  const service = await open(config)
  process.stdout.write(welcome(config, await missingPrograms(config)))
  for (const signal of signals) {
    process.once(signal, () => {
      for (const other of signals) process.once(other, () => process.exit(1))
      void leave(service, config.drain_ms)
    })
  }
}

/** One of the processes of a supervisor. */
async function startPart(config: Config, part: Part): Promise<void> {
  shareWith(part.processes)
  shareBuckets(bucketsFd)
  const service = await open(config, part)
  const tell = (message: FromPart) => void process.send?.(message, () => {})
  process.on('message', async ({ ask }: ToPart) => {
    tell({ answered: ask, figures: await service.metrics.figures() })
  })
  process.once('SIGTERM', () => {
    // A process manager may send it to all processes, and the supervisor sends it again.
    process.on('SIGTERM', () => {})
    void leave(service, config.drain_ms)
  })
  tell({ ready: true })
}

async function open(config: Config, part?: Part): Promise<Service> {
  const log = createLog(config.log_level)
  const service = await startService({
    config,
    log: part ? log.child({ process: part.name }) : log,
    part,
    warmsUp: true,
    // Immediately: no later start has these secrets, even if this one fails.
    announce: (line) => process.stdout.write(`${line}\n`),
  }).catch((error) => {
    throw portError(error, config) ?? error
  })
  collectGarbage()
  return service
}

async function leave(service: Service, drainMs: number): Promise<void> {
  setTimeout(() => process.exit(1), drainMs + stopTimeoutMs).unref()
  await service.stop()
  process.exit(0)
}

/** V8 would keep for hours what is left over from the start. */
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
