import { type Config, readConfig } from './config.ts'
import { createLog } from './platform/log/log.ts'
import { type Service, startService } from './service.ts'
import { welcome } from './welcome.ts'

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
  const service = await startService({ config, log: createLog(config.log_level) }).catch(
    (error) => {
      throw portError(error, config) ?? error
    },
  )
  process.stdout.write(welcome(config, service.container.notices))
  for (const signal of signals) process.once(signal, () => leave(service, config.drain_ms))
}

async function leave(service: Service, drainMs: number): Promise<void> {
  for (const signal of signals) process.once(signal, () => process.exit(1))
  setTimeout(() => process.exit(1), drainMs + stopTimeoutMs).unref()
  await service.stop()
  process.exit(0)
}

function portError(error: NodeJS.ErrnoException & { port?: number }, config: Config) {
  const { code, port } = error
  const names = new Map([
    [config.metrics_port, 'METRICS_PORT'],
    [config.sandbox_port, 'SANDBOX_PORT'],
  ])
  const name = names.get(port) ?? 'PORT'
  if (code === 'EADDRINUSE') {
    return new Error(`${name} ${port} is taken by another program. Set ${name} to a free port.`)
  }
  if (code === 'EACCES' && port) {
    return new Error(`This account may not use port ${port}. Set ${name} to 1024 or above.`)
  }
  if (code === 'ENOTFOUND' || code === 'EADDRNOTAVAIL' || code === 'EINVAL') {
    const host = port === config.metrics_port ? 'METRICS_HOST' : 'HOST'
    return new Error(
      `This machine has no address ${host} names (${error.message}). Correct ${host}.`,
    )
  }
  return undefined
}

/** People get sentences; a fault of ours keeps its trace. */
function explain(error: unknown): string {
  if (!(error instanceof Error) || error instanceof TypeError) return String((error as Error).stack)
  const reason = error.cause instanceof Error ? error.cause.message : ''
  const cause = error.message.includes(reason) ? '' : `\n  ${reason}`
  return `${error.message}${cause}`
}
