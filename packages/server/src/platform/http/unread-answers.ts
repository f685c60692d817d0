import type { Server, ServerResponse } from 'node:http'

type Limits = { checkedEveryMs: number; longestMs: number; bytesAtMost: number }

/** A picture of 1 MB reaches a phone with 10 kB/s in time. */
const usual = { checkedEveryMs: 2_000, longestMs: 120_000, bytesAtMost: 64 * 1024 * 1024 }

/**
 * Disconnects clients that do not read their responses, those with the most bytes first: a response
 * stays in memory until it is read.
 */
export function limitUnreadAnswers(server: Server, limits: Limits = usual): void {
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
