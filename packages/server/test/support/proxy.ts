import { connect, createServer, type Socket } from 'node:net'
import type pg from 'pg'

export type DatabaseProxy = Awaited<ReturnType<typeof databaseProxy>>

/** A proxy between a service and its database that can interrupt the connection. */
export async function databaseProxy(connection: pg.ClientConfig, databaseUrl: string) {
  const sockets = new Set<Socket>()
  /** Open, but nothing passes. */
  const silenced = new WeakSet<Socket>()
  let mode: 'open' | 'cut' | 'frozen' = 'open'

  const server = createServer((client) => {
    sockets.add(client)
    client.on('error', () => {})
    client.on('close', () => sockets.delete(client))
    if (mode === 'cut') return client.destroy()
    const upstream = dial(connection)
    upstream.on('error', () => client.destroy())
    upstream.on('close', () => client.destroy())
    client.on('close', () => upstream.destroy())
    const passes = () => mode === 'open' && !silenced.has(client)
    client.on('data', (chunk) => passes() && upstream.write(chunk))
    upstream.on('data', (chunk) => passes() && client.write(chunk))
    return undefined
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const url = new URL(databaseUrl)
  url.searchParams.delete('host')
  url.hostname = '127.0.0.1'
  url.port = String(port)

  const dropAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: url.href,
    /** Breaks connections and refuses new ones, as when the server is stopped. */
    cut() {
      mode = 'cut'
      dropAll()
    },
    /** Keeps connections open without passing data, as when the network drops all packets. */
    freeze() {
      mode = 'frozen'
    },
    /** Existing connections fall silent. New ones work. */
    silence() {
      for (const socket of sockets) silenced.add(socket)
    },
    connections: () => sockets.size,
    heal() {
      const wasFrozen = mode === 'frozen'
      mode = 'open'
      if (wasFrozen) dropAll()
    },
    async close() {
      dropAll()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function dial({ connectionString, host }: pg.ClientConfig): Socket {
  if (!connectionString) return connect(`${host}/.s.PGSQL.5432`)
  const url = new URL(connectionString)
  const socketFolder = url.searchParams.get('host')
  const port = Number(url.port || 5432)
  return socketFolder ? connect(`${socketFolder}/.s.PGSQL.${port}`) : connect(port, url.hostname)
}
