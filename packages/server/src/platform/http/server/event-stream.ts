import type { FastifyReply, FastifyRequest } from 'fastify'
import { refusal, type ServiceError } from '../../errors.ts'
import { shareOfProcess } from '../../processes.ts'
import { networkOf, networksOfOne, wideNetworkOf } from '../network.ts'

const usualTimes = { beatMs: 15_000, longestMs: 15 * 60_000 }
/** A reader with more unread bytes does not keep up. */
const unreadAtMost = 256 * 1024
const drainMs = 30_000
/** The limit of an Accept header. Browsers send 150 characters; comparing 15,000 takes 10 ms. */
const longestAccept = 500

type Options = {
  perNetwork: number
  inTotal: number
  /** The refusal of one more stream to a network. */
  refuse: () => ServiceError
  /** Other times than a sign of life every 15 s and an end after 15 minutes, in tests. */
  times?: { beatMs: number; longestMs: number } | undefined
}

type OpenStream = { beat(): void; end(): void }

/** Whether a client asks a route that can stream for server-sent events. */
export const wantsEventStream = ({ method, headers, routeOptions }: FastifyRequest): boolean =>
  method === 'GET' && routeOptions.config.streams === true && prefersStream(headers.accept ?? '')

/** Compares the weights of RFC 9110, 12.5.1. Without a preference, a stream that is named wins. */
function prefersStream(accept: string): boolean {
  if (accept.length > longestAccept) return false
  const weightOf = (wanted: string): number => {
    for (const range of accept.toLowerCase().split(',')) {
      const [type = '', ...parameters] = range.split(';').map((part) => part.trim())
      if (type !== wanted) continue
      const weight = parameters.find((parameter) => parameter.startsWith('q='))
      return weight === undefined ? 1 : Number(weight.slice('q='.length)) || 0
    }
    return 0
  }
  const weight = weightOf('text/event-stream')
  return weight > 0 && weight >= weightOf('application/json')
}

const reserveFrom = 0.75

/**
 * Opens streams of server-sent events within the limits per network and in total. A stream has a
 * heartbeat every 15 s and ends after 15 minutes. A reader who does not keep up is disconnected.
 */
export function createStreamGate({ refuse, times, ...limits }: Options) {
  const [perNetwork, atMost] = [shareOfProcess(limits.perNetwork), shareOfProcess(limits.inTotal)]
  const { beatMs, longestMs } = times ?? usualTimes
  const open = new Set<OpenStream>()
  const counts = new Map<string, number>()
  const count = (key: string, change: 1 | -1) => {
    const sum = (counts.get(key) ?? 0) + change
    if (sum === 0) counts.delete(key)
    else counts.set(key, sum)
  }
  let timer: NodeJS.Timeout | undefined

  const assertRoom = (network: string, wide: string) => {
    if ((counts.get(network) ?? 0) >= perNetwork) throw refuse()
    if ((counts.get(wide) ?? 0) >= networksOfOne * perNetwork) throw refuse()
    if (open.size >= atMost) throw full()
    // The last quarter is left for networks with few streams.
    const isReserve = open.size >= reserveFrom * atMost
    if (isReserve && (counts.get(wide) ?? 0) >= Math.max(1, perNetwork / 10)) throw full()
  }

  return {
    open(request: FastifyRequest, reply: FastifyReply) {
      const network = networkOf(request.ip)
      const wide = `wide ${wideNetworkOf(network)}`
      assertRoom(network, wide)
      const { raw } = reply
      for (const [name, value] of Object.entries(reply.getHeaders())) {
        if (value !== undefined) raw.setHeader(name, value)
      }
      reply.hijack()
      raw.writeHead(200, {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        // A stopping process need not wait for the next request of this connection.
        connection: 'close',
        // nginx must not collect events.
        'x-accel-buffering': 'no',
      })
      let beat = () => ': \n\n'
      const whenClosed: (() => void)[] = []
      const stream = {
        isOpen: () => !raw.destroyed && !raw.writableEnded && raw.socket?.destroyed === false,
        write(text: string) {
          if (!stream.isOpen()) return
          // Looks at earlier texts only: a long text is no fault of the reader.
          if (raw.writableLength > unreadAtMost) raw.destroy()
          else raw.write(text)
        },
        async drain() {
          if (!raw.writableNeedDrain || !stream.isOpen()) return
          await new Promise<void>((resolve) => {
            const end = setTimeout(() => raw.destroy(), drainMs)
            const done = () => {
              clearTimeout(end)
              raw.off('drain', done).off('close', done)
              resolve()
            }
            raw.once('drain', done).once('close', done)
          })
        },
        end: () => void raw.end(),
        whenClosed: (action: () => void) => void whenClosed.push(action),
        setBeat(next: () => string) {
          beat = next
        },
      }
      // The client has gone during the checks of the request, or the response of an earlier
      // request still has the socket (pipelining): without an end the client would wait for ever.
      if (raw.destroyed || raw.socket?.destroyed !== false) {
        raw.end()
        return stream
      }
      // The server allows half-open connections: without this, a client that has gone would take
      // room until the next heartbeat.
      const { socket } = raw
      if (socket.readableEnded) socket.destroy()
      else socket.once('end', () => socket.destroy())
      const entry: OpenStream = { beat: () => stream.write(beat()), end: stream.end }
      open.add(entry)
      count(network, 1)
      count(wide, 1)
      timer ??= setInterval(() => {
        for (const one of [...open]) one.beat()
      }, beatMs).unref()
      const last = setTimeout(stream.end, longestMs).unref()
      raw.once('close', () => {
        clearTimeout(last)
        open.delete(entry)
        count(network, -1)
        count(wide, -1)
        if (open.size === 0) {
          clearInterval(timer)
          timer = undefined
        }
        for (const action of whenClosed) action()
      })
      return stream
    },
    count: () => open.size,
    closeAll() {
      for (const one of [...open]) one.end()
    },
  }
}

const full = () =>
  refusal('unavailable', 'too_many_streams_here', 'Too many streams are open. Poll instead.', {
    retry_after_seconds: 30,
  })
