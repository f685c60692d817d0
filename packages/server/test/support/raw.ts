import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'

export type RawAnswer = { status: number; text: string }

/** Only reached if a server never closes: the test fails with the output so far. */
const giveUpMs = 120_000

/** Sends raw bytes and waits until the other side closes. */
export function sendRaw(port: number, text: string): Promise<RawAnswer> {
  return converse(port, (write) => void write(text))
}

/** Sends bytes endlessly, to occupy a server. */
export function sendSlowly(port: number, start: string): Promise<RawAnswer> {
  return converse(port, async (write, isOpen) => {
    write(start)
    while (isOpen()) {
      await sleep(20)
      write('a')
    }
  })
}

/** Does something to each request with this `X-Test` header, before the server reads it, until the test ends. */
export function disturb(value: string, act: (request: IncomingMessage) => void): void {
  const listener = (message: unknown) => {
    const { request } = message as { request: IncomingMessage }
    if (request.headers['x-test'] === value) act(request)
  }
  subscribe('http.server.request.start', listener)
  onTestFinished(() => {
    unsubscribe('http.server.request.start', listener)
  })
}

type Talk = (write: (text: string) => void, isOpen: () => boolean) => void | Promise<void>

function converse(port: number, talk: Talk): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    let text = ''
    let open = true
    const socket = connect(port, '127.0.0.1')
    const timer = setTimeout(() => {
      socket.destroy()
      reject(new Error(`Still open after ${giveUpMs} ms: ${text}`))
    }, giveUpMs)
    socket.setEncoding('utf8')
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      open = false
      clearTimeout(timer)
      resolve({ status: Number(text.split(' ')[1]), text })
    })
    socket.on('connect', () =>
      talk(
        (part) => open && socket.write(part),
        () => open,
      ),
    )
  })
}

/** Connections to a server of this process, seen from both ends. */
export function trackConnections(server: Server) {
  const arrived = new Map<number | undefined, Socket>()
  server.on('connection', (socket: Socket) => {
    const { remotePort } = socket
    arrived.set(remotePort, socket)
    socket.once('close', () => arrived.delete(remotePort))
  })
  return {
    /** A client that sends raw bytes. */
    async connect(port: number) {
      const client = connect(port, '127.0.0.1')
      client.on('error', () => {})
      await new Promise((resolve) => client.once('connect', resolve))
      while (!arrived.has(client.localPort)) await sleep(1)
      const servedSocket = arrived.get(client.localPort) as Socket
      return {
        client,
        /** The same connection in the service. */
        served: servedSocket,
        /** Sends one piece, until the service has read it or closed the connection. */
        async send(piece: string) {
          const total = servedSocket.bytesRead + Buffer.byteLength(piece, 'latin1')
          client.write(piece, 'latin1')
          while (servedSocket.bytesRead < total && !servedSocket.destroyed) await sleep(1)
        },
        /** Disconnects, and waits until the service has noticed it. */
        async leave() {
          client.destroy()
          while (!servedSocket.destroyed) await sleep(1)
        },
      }
    },
  }
}
