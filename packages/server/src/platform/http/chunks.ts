import type { IncomingMessage, ServerResponse } from 'node:http'

/**
 * Node takes a turn of 4 µs for each chunk: 130,000 of one byte take half a second. A client may write
 * each of 1,000 ids as a chunk.
 */
const chunksFor = (bytes: number): number => 2_500 + bytes / 64
/** A client that still sends has this long to read the response. */
const lastReadMs = 2_000

/** Bytes and chunks of bodies without a declared length. */
const counts = new WeakMap<IncomingMessage, { bytes: number; chunks: number }>()

/** The bytes of a body that has been received whole; 0 before that. */
export const bodyBytesOf = (request: IncomingMessage): number =>
  request.complete
    ? Number(request.headers['content-length'] ?? counts.get(request)?.bytes ?? 0)
    : 0

/**
 * Refuses a body of many small chunks, and stops reading one that its route ignores: neither costs
 * more than other bytes.
 */
export function limitChunks(
  request: IncomingMessage,
  response: ServerResponse,
  refuse: () => void,
): void {
  if (request.headers['transfer-encoding'] === undefined) return
  const count = { bytes: 0, chunks: 0 }
  counts.set(request, count)
  const { socket } = request
  const push = request.push.bind(request)
  let isRefused = false
  request.push = (chunk: Buffer | null) => {
    if (isRefused) return false
    if (chunk) {
      count.bytes += chunk.length
      count.chunks++
    }
    isRefused = count.chunks > chunksFor(count.bytes)
    if (!isRefused) return push(chunk)
    stopReading(request)
    if (response.headersSent) socket.end()
    else refuse()
    return false
  }
  response.once('finish', () => {
    if (request.complete) return
    stopReading(request)
    socket.end()
  })
}

function stopReading(request: IncomingMessage): void {
  const { socket } = request
  socket.pause()
  // A resume of this turn, or the ignored body, would start the reading again.
  socket.on('resume', () => socket.emit('pause'))
  request._read = () => {}
  // Closing a socket with unread bytes discards the response, so it closes later.
  socket.once('finish', () => setTimeout(() => socket.destroy(), lastReadMs).unref())
}
