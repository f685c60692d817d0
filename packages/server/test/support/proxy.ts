import { connect, createServer, type Socket } from 'node:net'
import type pg from 'pg'

export type DatabaseProxy = Awaited<ReturnType<typeof databaseProxy>>

/** A proxy between a service and its database that can interrupt the connection. */
export async function databaseProxy(connection: pg.ClientConfig, databaseUrl: string) {
  const sockets = new Set<Socket>()
  /** Open, but nothing passes. */
  const silenced = new WeakSet<Socket>()
  let mode: 'open' | 'cut' | 'frozen' | 'pooling' = 'open'
  let target = connection
  let refusals = 0

  const server = createServer((client) => {
    sockets.add(client)
    client.on('error', () => {})
    client.on('close', () => sockets.delete(client))
    if (mode === 'cut') {
      refusals++
      return client.destroy()
    }
    const passes = () => (mode === 'open' || mode === 'pooling') && !silenced.has(client)
    const follow = (server: Socket) => {
      server.on('error', () => client.destroy())
      server.on('close', () => server === upstream && client.destroy())
      client.on('close', () => server.destroy())
      server.on('data', (chunk) => passes() && client.write(chunk))
      return server
    }
    let upstream = follow(dial(target))
    let startup: Buffer | undefined
    let isMoved = false
    client.on('data', (chunk: Buffer) => {
      if (!passes()) return
      if (startup && mode === 'pooling' && !isMoved) {
        isMoved = true
        upstream.removeAllListeners('data')
        const former = upstream
        upstream = startSession(target, startup, (server) => follow(server).write(chunk))
        former.destroy()
      } else upstream.write(chunk)
      startup ??= chunk
    })
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
    /** New connections lead to another server; existing ones stay. */
    lead(to: pg.ClientConfig) {
      target = to
    },
    /** Sessions move to other server processes, as behind a pooler in transaction mode. */
    pool() {
      mode = 'pooling'
    },
    dropAll,
    /** Connections refused while cut. */
    refusals: () => refusals,
    connections: () => sockets.size,
    heal() {
      const isBroken = mode === 'frozen' || mode === 'pooling'
      mode = 'open'
      if (isBroken) dropAll()
    },
    async close() {
      dropAll()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const readyForQuery = Buffer.from('Z\0\0\0\u0005I')

/** A session of a server that trusts its clients, which has answered the first message. */
function startSession(to: pg.ClientConfig, startup: Buffer, onReady: (server: Socket) => void) {
  const server = dial(to)
  server.write(startup)
  server.on('error', () => {})
  server.on('data', (chunk) => {
    if (!chunk.includes(readyForQuery)) return
    server.removeAllListeners('data')
    onReady(server)
  })
  return server
}

function dial({ connectionString, host }: pg.ClientConfig): Socket {
  if (!connectionString) return connect(`${host}/.s.PGSQL.5432`)
  const url = new URL(connectionString)
  const socketFolder = url.searchParams.get('host')
  const port = Number(url.port || 5432)
  return socketFolder ? connect(`${socketFolder}/.s.PGSQL.${port}`) : connect(port, url.hostname)
}
