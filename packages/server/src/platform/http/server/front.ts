import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** A request that is only a plain head, as a lookup is. */
export type PlainRequest = {
  target: string
  ifNoneMatch: string | undefined
  /** True if it has an Origin header. */
  byPage: boolean
}

/** The whole response, one character per byte; undefined leaves the request to the server. */
type Reply = string | undefined
export type FrontAnswer = (request: PlainRequest) => Reply | Promise<Reply>

const firstBytesMs = 15_000
const idleMs = 72_000
const patienceMs = 1_000
const longestHead = 2_048
const rememberedHeads = 1_000

/**
 * Answers the plainest requests on the socket, at a fraction of the server's cost. It parses one
 * form only: a GET without a body, complete in one chunk, with ordinary headers. The first other
 * bytes hand the connection over to the server for good, so there is only one real HTTP parser.
 */
export function standInFront(server: Server, prefix: string, answer: FrontAnswer) {
  /** Connections that the server does not have yet, each with its cleanup. */
  const ours = new Map<Socket, () => void>()
  const read = plainReader(prefix)
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
    const send = (reply: string) => {
      if (socket.timeout !== idleMs) socket.setTimeout(idleMs)
      ours.set(socket, end)
      socket.write(reply, 'latin1')
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
        const request = socket.writableNeedDrain ? undefined : read(chunk)
        const reply = request && answer(request)
        if (reply === undefined) handOver(chunk)
        else if (typeof reply === 'string') send(reply)
        else void wait(chunk, reply)
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

type Headers = Omit<PlainRequest, 'target'>

function plainReader(prefix: string): (chunk: Buffer) => PlainRequest | undefined {
  const start = `GET ${prefix}`
  const version = 'HTTP/1.1\r\n'
  const heads = new Map<string, Headers | undefined>()

  const headersIn = (block: string): Headers | undefined => {
    if (heads.has(block)) return heads.get(block)
    const headers = readHeaders(block)
    if (heads.size >= rememberedHeads) heads.clear()
    heads.set(block, headers)
    return headers
  }
  return (chunk) => {
    if (chunk.length > longestHead) return undefined
    const text = chunk.toString('latin1')
    if (!text.startsWith(start) || text.indexOf('\r\n\r\n') !== text.length - 4) return undefined
    const space = text.indexOf(' ', start.length)
    if (space < 0 || !text.startsWith(version, space + 1)) return undefined
    const headers = headersIn(text.slice(space + 1 + version.length, -2))
    return headers && { target: text.slice(4, space), ...headers }
  }
}

const plainLine = /^([A-Za-z0-9-]+): ?([\x21-\x7e][\x20-\x7e]*)?$/

/** Headers that need the real server. */
const notPlain =
  /^(content-length|transfer-encoding|connection|expect|upgrade|te|trailer|proxy-.*|x-request-id|http2-settings)$/i

/** `undefined` for unusual headers: duplicates, folded lines, odd characters, no host. */
function readHeaders(block: string): Headers | undefined {
  const seenHeaders = new Map<string, string>()
  for (const line of block.slice(0, -2).split('\r\n')) {
    const [, name = '', value = ''] = plainLine.exec(line) ?? []
    const headerName = name.toLowerCase()
    const keepsAlive = headerName === 'connection' && value.toLowerCase() === 'keep-alive'
    if (name === '' || seenHeaders.has(headerName) || (notPlain.test(name) && !keepsAlive))
      return undefined
    seenHeaders.set(headerName, value)
  }
  if (!seenHeaders.get('host')) return undefined
  return {
    ifNoneMatch: seenHeaders.get('if-none-match'),
    byPage: Boolean(seenHeaders.get('origin')),
  }
}
