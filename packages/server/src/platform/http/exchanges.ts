import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { Socket } from 'node:net'
import { limitChunks } from './chunks.ts'

type Exchange = { request: IncomingMessage; response: ServerResponse }

/**
 * Requests that a client may pipeline. Node handles all requests of one packet in one turn: a
 * thousand would delay other clients.
 */
const pipelinedAtMost = 16

/** Requests of a connection without a finished response, in order. */
const exchanges = new WeakMap<Socket, Set<Exchange>>()

/** Returns false for a request that is not to be answered. */
export function noteExchange(request: IncomingMessage, response: ServerResponse): boolean {
  const { socket } = request
  const open = exchanges.get(socket) ?? new Set()
  if (open.size >= pipelinedAtMost) {
    closeAfter([...open].at(-1)?.response, socket)
    return false
  }
  const exchange = { request, response }
  exchanges.set(socket, open.add(exchange))
  response.once('close', () => open.delete(exchange))
  return true
}

const last = new WeakSet<ServerResponse>()

function closeAfter(response: ServerResponse | undefined, socket: Socket): void {
  // A packet may hold hundreds of ignored requests.
  if (!response || last.has(response)) return
  last.add(response)
  response.shouldKeepAlive = false
  response.once('close', () => socket.end())
}

/**
 * True if a valid request of this connection still waits for its response. The response is sent,
 * then the connection closes. RFC 9112, 9.3.2: responses follow the order of requests.
 */
export function answerFirst(socket: Socket): boolean {
  const open = [...(exchanges.get(socket) ?? [])]
  const response = open.findLast(({ request }) => request.complete)?.response
  closeAfter(response, socket)
  return response !== undefined
}

/** A server without a site: malformed bytes do not overtake a response there either. */
export function createPlainServer(handle: RequestListener): Server {
  const server = createServer((request, response) => {
    if (!noteExchange(request, response)) return
    limitChunks(request, response, () => refuseStray(request.socket))
    handle(request, response)
  })
  return server.on('clientError', (_error, socket) => refuseStray(socket as Socket))
}

function refuseStray(socket: Socket): void {
  if (!socket.writable) socket.destroy()
  else if (!answerFirst(socket)) socket.end(notHttp)
}

const notHttp = 'HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'
