import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { Socket } from 'node:net'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type { Log } from '../../log/log.ts'
import { pagePolicy } from '../pages/html.ts'
import { answerFirst, handleRequests, limitTime, limitUnreadAnswers } from './connections.ts'
import { answerBefore, answerBetweenRequests, type Front } from './front.ts'
import { identify, isRequestId } from './headers.ts'
import '../route-config.ts'

const second = 1_000
/** Routes raise it with `bodyLimit`. */
const usualBodyBytes = 16 * 1024

export type HttpOptions = {
  log: Log
  trustProxy: readonly string[]
  /** Multiplies the time limits of requests. */
  patience: number
  /** Answers requests whose address matches no route because it is malformed. */
  refuse: (error: Error, request: FastifyRequest, reply: FastifyReply) => unknown
  /** The body of a 400 for a malformed HTTP request, by its target. */
  describe: Describe
  /** The page for browsers. */
  pageFor: PageFor
  /** Answers plain requests before the framework. */
  front: Front | undefined
}

/** The HTTP server before any site is mounted: limits, time-outs, ids. */
export function createHttpServer({
  log,
  trustProxy,
  patience,
  refuse,
  describe,
  pageFor,
  front,
}: HttpOptions): FastifyInstance {
  const app = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustProxy.length > 0 ? [...trustProxy] : false,
    requestIdHeader: false,
    genReqId: ({ headers }) => requestId(headers['x-request-id']),
    bodyLimit: usualBodyBytes,
    // A start on a busy machine is slow, not broken.
    pluginTimeout: 120 * second,
    // Disconnects slow senders; the check runs often enough for the promised 30 s.
    serverFactory: (handle) => {
      const server = createServer({
        requestTimeout: 20 * second,
        headersTimeout: 15 * second,
        connectionsCheckingInterval: 2 * second,
        keepAliveTimeout: 72 * second,
        // Checked by our own code, for our own error message.
        requireHostHeader: false,
      })
      handleRequests(
        server,
        front ? answerBefore(handle, front) : handle,
        ({ socket, method, url, headers }) => {
          sendRefusal(
            socket,
            { method, url, accept: headers.accept },
            smallChunks,
            describe,
            pageFor,
          )
        },
      )
      limitUnreadAnswers(server)
      // A client that closed its sending side still gets the response.
      Object.assign(server, { httpAllowHalfOpen: true })
      // Ignores unknown expectations.
      return server.on('checkExpectation', handle)
    },
    // During the drain, open connections still get responses, then close.
    return503OnClosing: false,
    // Longer than any address that Node lets through.
    routerOptions: { maxParamLength: 20_000 },
    clientErrorHandler: (error, socket) => refuseMalformed(error, socket, describe, pageFor),
    frameworkErrors: (error, request, reply) => {
      identify(request, reply)
      refuse(error, request, reply)
    },
  })
  // A body on DELETE is ignored: shipped clients send `null` there.
  app.addHttpMethod('DELETE', { hasBody: false, overrideExisting: true })
  limitTime(app, patience)
  if (front) {
    const inFront = answerBetweenRequests(app.server, front)
    app.addHook('preClose', async () => void (await inFront.close()))
  }
  return app
}

function requestId(header: string | string[] | undefined): string {
  return typeof header === 'string' && isRequestId(header) ? header : randomUUID()
}

type Fault = { error: string; code: string; request_id: string }
type Describe = (target: string, fault: Fault) => object
type PageFor = (target: string, accept: string | undefined) => string | undefined
type MalformedError = { code?: string; rawPacket?: unknown }
/** The known parts of a refused request. */
type Head = { method?: string | undefined; url?: string | undefined; accept?: string | undefined }

/** Malformed HTTP never reaches a route: answered here, as an API error or as a page. */
function refuseMalformed(
  error: MalformedError,
  socket: Socket,
  describe: Describe,
  pageFor: PageFor,
): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const packet = Buffer.isBuffer(error.rawPacket) ? error.rawPacket.toString('latin1') : ''
  const [method, url] = packet.split(' ', 2)
  const head = { method, url, accept: /^accept: *(.*)$/im.exec(packet)?.[1] }
  sendRefusal(socket, head, transportFaults[error.code ?? ''] ?? notHttp, describe, pageFor)
}

function sendRefusal(
  socket: Socket,
  { method, url = '', accept }: Head,
  [status, text, code]: Refusal,
  describe: Describe,
  pageFor: PageFor,
): void {
  if (answerFirst(socket)) return
  const fault = { error: text, code, request_id: randomUUID() }
  const page = pageFor(url, accept)
  const body = page ?? JSON.stringify(status.startsWith('400') ? describe(url, fault) : fault)
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: ${page ? `text/html; charset=utf-8\r\nContent-Security-Policy: ${pagePolicy()}` : 'application/json; charset=utf-8'}\r\n` +
      `X-Request-Id: ${fault.request_id}\r\nX-Content-Type-Options: nosniff\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      // A client of HEAD would read a body as the next response.
      `Connection: close\r\n\r\n${method === 'HEAD' ? '' : body}`,
  )
}

type Refusal = [status: string, text: string, code: string]

const notHttp: Refusal = ['400 Bad Request', 'The request is not valid HTTP.', 'invalid_request']

const smallChunks: Refusal = [
  '413 Content Too Large',
  'The body has too many small chunks. Send it in larger ones.',
  'too_large_body',
]

const transportFaults: Record<string, Refusal> = {
  HPE_INVALID_URL: [
    '400 Bad Request',
    'The address has characters that must be percent-encoded.',
    'invalid_address',
  ],
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    'The request headers are too large.',
    'headers_too_large',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [
    '408 Request Timeout',
    'The request took too long to arrive.',
    'request_timeout',
  ],
}
