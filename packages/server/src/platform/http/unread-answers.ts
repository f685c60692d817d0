import type { Server, ServerResponse } from 'node:http'

type Limits = { checkedEveryMs: number; longestMs: number; bytesAtMost: number }

/** A picture of 1 MB reaches a phone with 10 kB/s in time. */
const usual = { checkedEveryMs: 2_000, longestMs: 120_000, bytesAtMost: 64 * 1024 * 1024 }

/**
 * Disconnects clients that do not read their answers, the longest waiting first: an answer stays in
 * memory until the client has read it.
 */
export function limitUnreadAnswers(server: Server, limits: Limits = usual): void {
  const { checkedEveryMs, longestMs, bytesAtMost } = limits
  /** By the time of the request, oldest first. */
  const open = new Map<ServerResponse, number>()
  server.on('request', (_request, response) => {
    open.set(response, performance.now())
    response.once('close', () => open.delete(response))
  })
  const check = () => {
    const oldest = performance.now() - longestMs
    let bytes = 0
    for (const [response, since] of [...open].reverse()) {
      bytes += response.writableLength
      if (since < oldest || bytes > bytesAtMost) response.destroy()
    }
  }
  const timer = setInterval(check, checkedEveryMs).unref()
  server.once('close', () => clearInterval(timer))
}
