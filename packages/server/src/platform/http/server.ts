import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type { Log } from '../log/log.ts'
import { identify } from './headers.ts'
import './route-config.ts'

const second = 1_000

export type HttpOptions = {
  log: Log
  trustProxy: readonly string[]
  /** Answers what no route can be found for because its address makes no sense. */
  refuse: (error: Error, request: FastifyRequest, reply: FastifyReply) => unknown
  /** Answers a request before the router, or tells that it does not. */
  first: (request: IncomingMessage, response: ServerResponse) => boolean
}

/** The HTTP server before any site is mounted: limits, time-outs, ids. */
export function createHttpServer({ log, trustProxy, refuse, first }: HttpOptions): FastifyInstance {
  const app = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustProxy.length > 0 ? [...trustProxy] : false,
    requestIdHeader: false,
    genReqId: ({ headers }) => requestId(headers['x-request-id']),
    bodyLimit: 1024 * 1024,
    // Slow senders are cut off; the check runs often enough to keep the promised 30 s.
    serverFactory: (handle) =>
      createServer(
        {
          requestTimeout: 20 * second,
          headersTimeout: 15 * second,
          connectionsCheckingInterval: 2 * second,
          keepAliveTimeout: 72 * second,
        },
        (request, response) => first(request, response) || handle(request, response),
      ),
    handlerTimeout: 4.8 * second,
    // During the drain requests on open connections are still answered, then told to close.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 4_096 },
    clientErrorHandler: refuseMalformedRequest,
    frameworkErrors: (error, request, reply) => {
      identify(request, reply)
      refuse(error, request, reply)
    },
  })
  // A body on DELETE is ignored: shipped clients send `null` there.
  app.addHttpMethod('DELETE', { hasBody: false, overrideExisting: true })
  return app
}

function requestId(given: string | string[] | undefined): string {
  return typeof given === 'string' && /^[\w.:-]{1,128}$/.test(given) ? given : randomUUID()
}

/** What is not HTTP at all never reaches a route: answered here, in the form of the API's errors. */
function refuseMalformedRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const [status, text, code] = transportFaults[error.code ?? ''] ?? [
    '400 Bad Request',
    'The request is not valid HTTP.',
    'invalid_request',
  ]
  const body = JSON.stringify({ error: text, code, request_id: randomUUID() })
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `X-Content-Type-Options: nosniff\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      `Connection: close\r\n\r\n${body}`,
  )
}

const transportFaults: Record<string, [status: string, text: string, code: string]> = {
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
