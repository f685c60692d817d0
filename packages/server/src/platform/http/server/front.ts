import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { isAnswering } from './connections.ts'
import { isRequestId } from './headers.ts'

/** A request that is only a plain head, as a lookup is. */
export type PlainRequest = { target: string; head: PlainHead }

type PlainHead = {
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

const longestHead = 2_048

/**
 * Answers plain requests on the socket, at a fraction of the cost of the server's parser, while that
 * parser is between two requests. It reads one form only: a GET without a body, complete in one
 * chunk, with ordinary headers. All other bytes go to the parser, the first request too: from then
 * on the server limits the time of the connection.
 */
export function answerBetweenRequests(server: Server, { prefix, answer }: Front) {
  const pendingReplies = new Set<Promise<Reply>>()
  /** The requests that the parser found in the chunk it was given. */
  let parsedRequests: IncomingMessage[] = []
  server.prependListener('request', (request) => void parsedRequests.push(request))
  server.on('connection', (socket: Socket) => {
    const [parse] = socket.listeners('data')
    if (!parse) return
    // With a listener of data, the parser no longer reads from the descriptor itself.
    socket.removeListener('data', parse as () => void)
    let place: Place = 'between'
    let isParsed = false
    const readHead = createHeadReader(prefix)
    const forward = (chunk: Buffer) => {
      parsedRequests = []
      parse.call(socket, chunk)
      place = placeAfter(place, chunk, parsedRequests)
      parsedRequests = []
      isParsed = true
    }
    const wait = async (chunk: Buffer, pendingReply: Promise<Reply>) => {
      // Responses keep the order of requests.
      socket.pause()
      pendingReplies.add(pendingReply)
      const reply = await pendingReply
      pendingReplies.delete(pendingReply)
      if (socket.destroyed) return
      if (reply) socket.write(writeReply(reply), 'latin1')
      else forward(chunk)
      socket.resume()
    }
    const isFree = () =>
      isParsed &&
      place === 'between' &&
      socket.writable &&
      !socket.writableNeedDrain &&
      !isAnswering(socket)
    socket.on('data', (chunk: Buffer) => {
      const request = isFree() ? readHead(chunk) : undefined
      const reply = request && answer(request)
      if (reply === undefined) forward(chunk)
      else if (reply instanceof Promise) void wait(chunk, reply)
      else socket.write(writeReply(reply), 'latin1')
    })
  })
  return {
    /** The server takes a connection whose reply is pending for an idle one, and would close it. */
    close: () => Promise.allSettled(pendingReplies),
  }
}

/**
 * Where the parser is in the bytes of a connection: between two messages, in a body that has so many
 * more bytes, or unknown, for good.
 */
type Place = 'between' | 'unknown' | { message: IncomingMessage; missingBytes: number }

/**
 * The parser is between two requests only if it found exactly the message that the chunk shows:
 * one head in the strictest form, and as many bytes as the parser's own length.
 */
function placeAfter(place: Place, chunk: Buffer, requests: readonly IncomingMessage[]): Place {
  if (place === 'unknown') return 'unknown'
  const isBegun = place !== 'between'
  const message = isBegun ? place.message : requests[0]
  if (!message || requests.length !== (isBegun ? 0 : 1)) return 'unknown'
  const bytes = isBegun ? place.missingBytes : bytesOfMessage(message, chunk)
  const missingBytes = bytes - chunk.length
  if (Number.isNaN(bytes) || missingBytes < 0) return 'unknown'
  if (message.complete !== (missingBytes === 0)) return 'unknown'
  return message.complete ? 'between' : { message, missingBytes }
}

const strictHead =
  /^[A-Z]+ [\x21-\x7e]+ HTTP\/1\.1\r\n(?:[\w-]+: ?(?:[\x21-\x7e][\x20-\x7e]*)?\r\n)+\r\n$/

/** NaN unless the head is complete and strict, and tells the length of the body. */
function bytesOfMessage({ headers }: IncomingMessage, chunk: Buffer): number {
  const end = chunk.indexOf('\r\n\r\n') + 4
  const isClear = headers['transfer-encoding'] === undefined && headers.upgrade === undefined
  if (!isClear || !strictHead.test(chunk.toString('latin1', 0, end))) return Number.NaN
  return end + Number(headers['content-length'] ?? 0)
}

/** Answers the plain requests that the parser got, before the framework. */
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
const plainBlock = /^(?:[A-Za-z0-9-]+: ?(?:[\x21-\x7e][\x20-\x7e]*)?\r\n)*\r\n$/

/**
 * Reads a chunk that is one plain head. A client repeats its fields on a connection, so they are
 * parsed once.
 */
function createHeadReader(prefix: string) {
  let [knownBlock, knownHead]: [string, PlainHead | undefined] = ['', undefined]
  return (chunk: Buffer): PlainRequest | undefined => {
    if (chunk.length > longestHead) return undefined
    const text = chunk.toString('latin1')
    if (!text.startsWith('GET ') || !text.startsWith(prefix, 4)) return undefined
    const space = text.indexOf(' ', 4)
    if (!text.startsWith(version, space + 1)) return undefined
    const block = text.slice(space + 1 + version.length)
    if (block !== knownBlock) [knownBlock, knownHead] = [block, readBlock(block)]
    return knownHead && { target: text.slice(4, space), head: knownHead }
  }
}

function readBlock(block: string): PlainHead | undefined {
  if (!plainBlock.test(block)) return undefined
  const fields: string[] = []
  for (let at = 0; at < block.length - 2; ) {
    const colon = block.indexOf(':', at)
    const end = block.indexOf('\r\n', colon)
    const [name, value] = [block.slice(at, colon), block.slice(colon + 1, end).trim()]
    if (needsServer.test(name) && !/^connection: ?(keep-alive|te)$/i.test(block.slice(at, end)))
      return undefined
    fields.push(name, value)
    at = end + 2
  }
  return readFields(fields)
}

/** Fields of which only the real server knows what follows. */
const needsServer = /^(connection|expect|upgrade|trailer|http2-settings|proxy-.*)$/i

const readMessage = (
  { method, url = '', httpVersion, rawHeaders }: IncomingMessage,
  prefix: string,
): PlainRequest | undefined => {
  const isPlain = method === 'GET' && httpVersion === '1.1' && url.startsWith(prefix)
  const head = isPlain ? readFields(rawHeaders) : undefined
  return head && { target: url, head }
}

/** `undefined` for a body, for no host or several, and for fields that matter and are repeated. */
function readFields(fields: readonly string[]): PlainHead | undefined {
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
  return host === undefined ? undefined : { ifNoneMatch, byPage: Boolean(origin), requestId }
}
