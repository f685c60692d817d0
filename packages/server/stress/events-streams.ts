import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Findings, onStage, quantile, type Stage } from './account-stage.ts'

const promised = { memory_mb: 60, share_of_lookup_speed: 0.95 }
const lookupConnections = 16
const measuredMs = 5_000
const settleMs = 3_000

/** Lookups with and without open streams, in turns, because the machine has other work too. */
export const measureStreams = (streams: number, rounds: number): Promise<Findings> =>
  onStage(async (stage) => {
    // The first round warms the service up.
    await countLookups(stage)
    const speeds = { without: [] as number[], with: [] as number[] }
    const memory: number[] = []
    for (let round = 0; round < rounds; round++) {
      await sleep(settleMs)
      const before = stage.residentMb()
      speeds.without.push(await countLookups(stage))
      const open = await openStreams(stage, streams)
      await sleep(settleMs)
      speeds.with.push(await countLookups(stage))
      memory.push(stage.residentMb() - before)
      for (const stream of open) stream.destroy()
    }
    const median = (values: number[]) => quantile(values, 0.5)
    const share = median(speeds.with) / median(speeds.without)
    const broken = [
      ...(memory[0] !== undefined && memory[0] > promised.memory_mb
        ? [`${streams} streams took ${memory[0]} MB`]
        : []),
      ...(share < promised.share_of_lookup_speed
        ? [`Lookups had ${Math.round(share * 100)} % of their speed`]
        : []),
    ]
    const figures = {
      streams,
      rounds,
      memory_mb: memory,
      lookups_per_second: speeds,
      share_of_lookup_speed: Number(share.toFixed(3)),
      promised,
    }
    return { figures, broken }
  })

/** From different networks, since the limit per network is not under test. */
async function openStreams({ port }: Stage, count: number): Promise<ClientRequest[]> {
  const open: ClientRequest[] = []
  for (let n = 0; n < count; n++) {
    const headers = {
      accept: 'text/event-stream',
      'x-forwarded-for': `10.${n >> 8}.${n & 255}.1`,
    }
    const sentRequest = request({
      port,
      host: '127.0.0.1',
      path: '/api/events',
      headers,
      agent: false,
    })
    sentRequest.on('error', () => {})
    sentRequest.end()
    const [answer] = (await once(sentRequest, 'response')) as [IncomingMessage]
    if (answer.statusCode !== 200) throw new Error(`A stream was answered ${answer.statusCode}`)
    answer.resume().on('error', () => {})
    open.push(sentRequest)
  }
  return open
}

/** Lookups per second over connections that send the next request after each response. */
async function countLookups({ port }: Stage): Promise<number> {
  const text = `GET /api/emoji_id/${encodeURIComponent('🔥🐍')} HTTP/1.1\r\nHost: localhost\r\n\r\n`
  let answeredCount = 0
  let isOver = false
  const sockets = Array.from({ length: lookupConnections }, () => {
    const socket = connect(port, '127.0.0.1')
    let buffer = Buffer.alloc(0)
    socket.on('connect', () => socket.write(text))
    socket.on('data', (chunk) => {
      buffer = Buffer.concat([buffer, chunk])
      const end = buffer.indexOf('\r\n\r\n')
      if (end < 0) return
      const length = /content-length: (\d+)/i.exec(buffer.subarray(0, end).toString('latin1'))?.[1]
      if (buffer.length < end + 4 + Number(length)) return
      buffer = Buffer.alloc(0)
      answeredCount++
      if (!isOver) socket.write(text)
    })
    socket.on('error', () => {})
    return socket
  })
  const start = performance.now()
  await sleep(measuredMs)
  isOver = true
  const seconds = (performance.now() - start) / 1_000
  for (const socket of sockets) socket.destroy()
  return Math.round(answeredCount / seconds)
}
