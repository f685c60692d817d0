import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Config } from './config.ts'

type Ports = Pick<Config, 'metrics_port' | 'sandbox_port'>

/** Names the variable to change when the server cannot listen. */
export function portError(
  error: NodeJS.ErrnoException & { port?: number },
  config: Ports,
): Error | undefined {
  const { code, port } = error
  const names = new Map([
    [config.metrics_port, 'METRICS_PORT'],
    [config.sandbox_port, 'SANDBOX_PORT'],
  ])
  const name = names.get(port) ?? 'PORT'
  if (code === 'EADDRINUSE') {
    return new Error(
      `${name} ${port} is taken by another program. Set ${name} to an available port.`,
    )
  }
  if (code === 'EACCES' && port) {
    return new Error(`This account may not use port ${port}. Set ${name} to 1024 or above.`)
  }
  if (code === 'ENOTFOUND' || code === 'EADDRNOTAVAIL' || code === 'EINVAL') {
    const host = port === config.metrics_port ? 'METRICS_HOST' : 'HOST'
    return new Error(
      `This machine has no address that ${host} names (${error.message}). Correct ${host}.`,
    )
  }
  return undefined
}

/** Throws the error of a server that cannot listen there. */
export async function assertPortFree({ host, port }: Pick<Config, 'host' | 'port'>): Promise<void> {
  const server = createServer().listen(port, host)
  await once(server, 'listening')
  server.close()
  await once(server, 'close')
}
