import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { refusal } from '../../errors.ts'

// Limits of a connection that Node does not have. nginx in front sends one whole request at a time,
// so they matter where clients reach the service directly. docs/decisions/0038-parts-that-exist.md
// has the figures.

type Exchange = { request: IncomingMessage; response: ServerResponse }

/** Node handles all requests of one packet in one turn: a thousand would delay other clients. */
const pipelinedAtMost = 16
/**
 * Node takes a turn of 4 µs for each chunk: 130,000 of one byte take half a second. A client may write
 * each of 1,000 ids as a chunk.
 */
const chunksFor = (bytes: number): number => 2_500 + bytes / 64
/** A client that still sends has this long to read the response. */
const lastReadMs = 2_000

/** Requests of a connection without a finished response, in order. */
const exchanges = new WeakMap<Socket, Set<Exchange>>()

/** Bytes and chunks of bodies without a declared length. */
const counts = new WeakMap<IncomingMessage, { bytes: number; chunks: number }>()

/** Handles requests within the limits. `refuse` answers a body of small chunks. */
export function handleRequests(
  server: Server,
  handle: RequestListener,
  refuse: (request: IncomingMessage) => void,
): void {
  server.on('request', (request, response) => {
    if (!noteExchange(request, response)) return
    if (request.headers['transfer-encoding'] !== undefined) {
      limitChunks(request, response, refuse)
    }
    handle(request, response)
  })
}

/** Returns false for a request that is not to be answered. */
function noteExchange(request: IncomingMessage, response: ServerResponse): boolean {
  const { socket } = request
  // A packet may hold hundreds of requests after the last one.
  if (endedSockets.has(socket)) return false
  const open = exchanges.get(socket) ?? new Set()
  if (open.size >= pipelinedAtMost) {
    stopReading(socket)
    closeAfter([...open].at(-1)?.response, socket)
    return false
  }
  const exchange = { request, response }
  exchanges.set(socket, open.add(exchange))
  response.once('close', () => open.delete(exchange))
  return true
}

/** True if a request of this connection still waits for its response. */
export const isAnswering = (socket: Socket): boolean => (exchanges.get(socket)?.size ?? 0) > 0

const lastResponses = new WeakSet<ServerResponse>()

function closeAfter(response: ServerResponse | undefined, socket: Socket): void {
  // Node reports every later packet of a malformed request too.
  if (!response || lastResponses.has(response)) return
  lastResponses.add(response)
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

/** The bytes of a body that has been received whole; 0 before that. */
export const bodyBytesOf = (request: IncomingMessage): number =>
  request.complete
    ? Number(request.headers['content-length'] ?? counts.get(request)?.bytes ?? 0)
    : 0

/**
 * Refuses a body of many small chunks, and stops reading one that its route ignores: neither costs
 * more than other bytes.
 */
function limitChunks(
  request: IncomingMessage,
  response: ServerResponse,
  refuse: (request: IncomingMessage) => void,
): void {
  const count = { bytes: 0, chunks: 0 }
  counts.set(request, count)
  const { socket } = request
  const push = request.push.bind(request)
  request.push = (chunk: Buffer | null) => {
    if (endedSockets.has(socket)) return false
    if (chunk) {
      count.bytes += chunk.length
      count.chunks++
    }
    if (count.chunks <= chunksFor(count.bytes)) return push(chunk)
    stopReading(socket)
    if (response.headersSent) socket.end()
    else refuse(request)
    return false
  }
  response.once('finish', () => {
    if (request.complete) return
    stopReading(socket)
    socket.end()
  })
}

const endedSockets = new WeakSet<Socket>()

function stopReading(socket: Socket): void {
  if (endedSockets.has(socket)) return
  endedSockets.add(socket)
  socket.pause()
  // Node resumes the socket for an ignored body and for the next request.
  socket.on('resume', () => socket.pause())
  // Closing a socket with unread bytes discards the response, so it closes later.
  socket.once('finish', () => setTimeout(() => socket.destroy(), lastReadMs).unref())
}

/** A server without a site: malformed bytes do not overtake a response there either. */
export function createPlainServer(handle: RequestListener): Server {
  const server = createServer()
  handleRequests(server, handle, ({ socket }) => refuseStray(socket))
  return server.on('clientError', (_error, socket) => refuseStray(socket as Socket))
}

function refuseStray(socket: Socket): void {
  if (!socket.writable) socket.destroy()
  else if (!answerFirst(socket)) socket.end(notHttp)
}

const notHttp = 'HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'

type UnreadLimits = { checkedEveryMs: number; longestMs: number; bytesAtMost: number }

/** A picture of 1 MB reaches a phone with 10 kB/s in time. */
const usual = { checkedEveryMs: 2_000, longestMs: 120_000, bytesAtMost: 64 * 1024 * 1024 }

/**
 * Disconnects clients that do not read their responses, those with the most bytes first: a response
 * stays in memory until it is read.
 */
export function limitUnreadAnswers(server: Server, limits: UnreadLimits = usual): void {
  const { checkedEveryMs, longestMs, bytesAtMost } = limits
  const open = new Map<ServerResponse, number>()
  server.on('request', (_request, response) => {
    open.set(response, performance.now())
    response.once('close', () => open.delete(response))
  })
  const check = () => {
    const oldest = performance.now() - longestMs
    const unread = [...open]
      .map(([response, since]) => ({ response, since, bytes: response.writableLength }))
      .filter(({ bytes }) => bytes > 0)
      .sort((a, b) => b.bytes - a.bytes)
    let unreadBytes = unread.reduce((sum, { bytes }) => sum + bytes, 0)
    for (const { response, since, bytes } of unread) {
      if (since >= oldest && unreadBytes <= bytesAtMost) continue
      response.destroy()
      unreadBytes -= bytes
    }
  }
  const timer = setInterval(check, checkedEveryMs).unref()
  server.once('close', () => clearInterval(timer))
}

/** The time limit of reads, from the request head to the response. */
const readLimitMs = 4_800
/**
 * The time limit of changes. A provider that confirms late still acts, so waiting is worth it;
 * every statement and provider call has a shorter limit.
 */
const changeLimitMs = 30_000

/**
 * Time limit of handlers. The framework's own limit (`handlerTimeout`, Fastify 5.12) is cleared by
 * the request's `close` event, which fires once a body is read, so it never ends a POST.
 */
export function limitTime(app: FastifyInstance, patience: number): void {
  const answeredReplies = new WeakSet<FastifyReply>()
  app.addHook('onRequest', async ({ method, routeOptions }, reply) => {
    const usualMs = method === 'GET' || method === 'HEAD' ? readLimitMs : changeLimitMs
    const end = () => {
      if (reply.sent) return
      // A started response cannot be replaced.
      if (reply.raw.headersSent) reply.raw.destroy()
      else if (!answeredReplies.has(reply)) reply.send(tookTooLong())
    }
    const limitMs = routeOptions.config.time_limit_ms ?? usualMs
    const timer = setTimeout(end, limitMs * patience)
    reply.raw.once('close', () => clearTimeout(timer))
  })
  app.addHook('onSend', async (_request, reply) => void answeredReplies.add(reply))
}

const tookTooLong = () =>
  refusal('unavailable', 'timeout', 'This took too long. Try again shortly.', {
    retry_after_seconds: 1,
  })
