import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { isRequestId } from './headers.ts'

/** A request that is only a plain head, as a lookup is. */
export type PlainRequest = {
  target: string
  ifNoneMatch: string | undefined
  /** True if it has an Origin header. */
  byPage: boolean
  /** The valid request id of the client. */
  requestId: string | undefined
}

/** Names and values of the fields in turn, and the body with one character per byte. */
export type FrontReply = { status: 200 | 304; fields: string[]; body: string }

/** `undefined` leaves the request to the server. */
type Reply = FrontReply | undefined
export type FrontAnswer = (request: PlainRequest) => Reply | Promise<Reply>

export type Front = { prefix: string; answer: FrontAnswer }

const firstBytesMs = 15_000
const idleMs = 72_000
const patienceMs = 1_000
const longestHead = 2_048

/**
 * Answers the plainest requests on the socket, at a fraction of the server's cost. It parses one
 * form only: a GET without a body, complete in one chunk, with ordinary headers. The first other
 * bytes hand the connection over to the server for good, so there is only one real HTTP parser.
 */
export function standInFront(server: Server, { prefix, answer }: Front) {
  /** Connections that the server does not have yet, each with its cleanup. */
  const ours = new Map<Socket, () => void>()
  const [serve] = server.listeners('connection')
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    const letGo = () => {
      ours.delete(socket)
      for (const [event, listener] of Object.entries(listeners)) socket.off(event, listener)
      socket.setTimeout(0)
    }
    const handOver = (chunk?: Buffer) => {
      letGo()
      socket.pause()
      if (chunk) socket.unshift(chunk)
      serve?.call(server, socket)
      socket.resume()
    }
    const end = () => void socket.end()
    const send = (reply: FrontReply) => {
      if (socket.timeout !== idleMs) socket.setTimeout(idleMs)
      ours.set(socket, end)
      socket.write(writeReply(reply), 'latin1')
    }
    let isTaking = false
    /** Reading pauses meanwhile, so that responses keep the order of requests. */
    const wait = async (chunk: Buffer, pendingReply: Promise<Reply>) => {
      let isLast = false
      socket.pause()
      // Stays unread until it is answered: the server may have to parse it.
      socket.unshift(chunk)
      ours.set(socket, () => {
        isLast = true
      })
      const reply = await pendingReply
      if (!ours.has(socket)) return
      if (reply === undefined) return handOver()
      isTaking = true
      socket.read(chunk.length)
      isTaking = false
      send(reply)
      if (isLast) end()
      else socket.resume()
    }
    const listeners = {
      data(chunk: Buffer) {
        if (isTaking) return
        const request = socket.writableNeedDrain ? undefined : readChunk(chunk, prefix)
        const reply = request && answer(request)
        if (reply === undefined) handOver(chunk)
        else if (reply instanceof Promise) void wait(chunk, reply)
        else send(reply)
      },
      end,
      error: () => socket.destroy(),
      timeout: () => socket.destroy(),
      close: () => letGo(),
    }
    ours.set(socket, () => handOver())
    socket.setTimeout(firstBytesMs)
    for (const [event, listener] of Object.entries(listeners)) socket.on(event, listener)
  })
  return {
    /** Closes answered connections, and hands silent ones over to the server. */
    close() {
      for (const finish of [...ours.values()]) finish()
      // Closes connections that remain open after the grace time.
      setTimeout(() => {
        for (const socket of ours.keys()) socket.destroy()
      }, patienceMs).unref()
    },
  }
}

/** Answers plain requests on connections that the server has, before its framework. */
export function answerBefore(handle: RequestListener, { prefix, answer }: Front): RequestListener {
  return (message, response) => {
    const request = readMessage(message, prefix)
    const reply = request && answer(request)
    if (reply === undefined) handle(message, response)
    else if (reply instanceof Promise) void finishLater(reply, message, response, handle)
    else finish(response, reply)
  }
}

async function finishLater(
  pendingReply: Promise<Reply>,
  message: IncomingMessage,
  response: ServerResponse<IncomingMessage> & { req: IncomingMessage },
  handle: RequestListener,
): Promise<void> {
  const reply = await pendingReply
  if (response.destroyed) return
  if (reply === undefined) handle(message, response)
  else finish(response, reply)
}

function finish(response: ServerResponse, { status, fields, body }: FrontReply): void {
  response.writeHead(status, fields)
  response.end(body, 'latin1')
}

const alive = 'Connection: keep-alive\r\nKeep-Alive: timeout=72\r\n\r\n'
const statusLines = { 200: 'HTTP/1.1 200 OK\r\n', 304: 'HTTP/1.1 304 Not Modified\r\n' }

/** The bytes that Node writes for the same fields. */
function writeReply({ status, fields, body }: FrontReply): string {
  let head = statusLines[status]
  for (let at = 0; at < fields.length; at += 2) head += `${fields[at]}: ${fields[at + 1]}\r\n`
  return `${head}Date: ${dateNow()}\r\n${alive}${body}`
}

let [second, date] = [0, '']

/** The Date header, formatted once a second. */
function dateNow(): string {
  const now = Math.floor(Date.now() / 1_000)
  if (now !== second) {
    second = now
    date = new Date(now * 1_000).toUTCString()
  }
  return date
}

const version = 'HTTP/1.1\r\n'
const plainBlock = /^(?:[A-Za-z0-9-]+: ?(?:[\x21-\x7e][\x20-\x7e]*)?\r\n)*$/

/** A chunk that is one plain head. */
function readChunk(chunk: Buffer, prefix: string): PlainRequest | undefined {
  if (chunk.length > longestHead) return undefined
  const text = chunk.toString('latin1')
  if (!text.startsWith('GET ') || !text.startsWith(prefix, 4)) return undefined
  if (text.indexOf('\r\n\r\n') !== text.length - 4) return undefined
  const space = text.indexOf(' ', 4)
  if (!text.startsWith(version, space + 1)) return undefined
  const block = text.slice(space + 1 + version.length, -2)
  if (!plainBlock.test(block)) return undefined
  const fields: string[] = []
  for (let at = 0; at < block.length; ) {
    const colon = block.indexOf(':', at)
    const end = block.indexOf('\r\n', colon)
    const [name, value] = [block.slice(at, colon), block.slice(colon + 1, end).trim()]
    if (needsServer.test(name) && !/^connection: ?(keep-alive|te)$/i.test(block.slice(at, end)))
      return undefined
    fields.push(name, value)
    at = end + 2
  }
  return readFields(text.slice(4, space), fields)
}

/** Fields of which only the real server knows what follows. */
const needsServer = /^(connection|expect|upgrade|trailer|http2-settings|proxy-.*)$/i

const readMessage = (
  { method, url = '', httpVersion, rawHeaders }: IncomingMessage,
  prefix: string,
): PlainRequest | undefined =>
  method === 'GET' && httpVersion === '1.1' && url.startsWith(prefix)
    ? readFields(url, rawHeaders)
    : undefined

/** `undefined` for a body, for no host or several, and for fields that matter and are repeated. */
function readFields(target: string, fields: readonly string[]): PlainRequest | undefined {
  let [host, ifNoneMatch, origin, requestId]: (string | undefined)[] = []
  for (let at = 0; at < fields.length; at += 2) {
    const value = fields[at + 1] ?? ''
    switch (fields[at]?.toLowerCase()) {
      case 'content-length':
      case 'transfer-encoding':
        return undefined
      case 'host':
        if (host !== undefined || value === '') return undefined
        host = value
        break
      case 'if-none-match':
        if (ifNoneMatch !== undefined) return undefined
        ifNoneMatch = value
        break
      case 'origin':
        if (origin !== undefined) return undefined
        origin = value
        break
      case 'x-request-id':
        if (requestId !== undefined || !isRequestId(value)) return undefined
        requestId = value
        break
    }
  }
  return host === undefined
    ? undefined
    : { target, ifNoneMatch, byPage: Boolean(origin), requestId }
}
