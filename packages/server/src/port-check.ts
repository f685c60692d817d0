import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Config } from './config.ts'

/** Throws the error of a server that cannot listen there. */
export async function assertPortFree({ host, port }: Pick<Config, 'host' | 'port'>): Promise<void> {
  const server = createServer().listen(port, host)
  await once(server, 'listening')
  server.close()
  await once(server, 'close')
}
