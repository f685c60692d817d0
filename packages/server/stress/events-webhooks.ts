// Webhook endpoints as receivers of `measureKills`. Healthy ones get every event despite dead, slow
// and flapping ones beside them.
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Findings, logIn, quantile } from './account-stage.ts'
import { measureKills } from './events-kills.ts'
import type { ReaderStage, ReceivedEvent, Receiver } from './events-readers.ts'

type EndpointKind = 'healthy' | 'slow' | 'flapping' | 'dead'

const slowMs = 10_000

type WebhookReceiver = Receiver & { arrivals: { version: number; at: number }[] }

const promisedMs = 2_000
/** 24 ids: about 12 changes per second. */
const writerPauseMs = 2_000

const make = (kind: EndpointKind, count: number): WebhookReceiver[] =>
  Array.from({ length: count }, (_, nth) => createWebhookReceiver(kind, nth))
const ailing = () => [...make('dead', 4), ...make('slow', 4), ...make('flapping', 4)]

/**
 * 20 endpoints, of which 4 are dead, 4 slow and 4 flapping, without kills: the time from the response
 * to a change until the healthy endpoints have its event.
 */
export async function measureLatency(size: { changes: number }): Promise<Findings> {
  const healthy = make('healthy', 8)
  const changes = Math.ceil(size.changes / 8)
  const { figures, broken, savedAt } = await measureKills({
    kills: 0,
    changes,
    writerPauseMs,
    receivers: healthy,
    companions: ailing(),
  })
  const latencies = healthy.flatMap(({ arrivals }) =>
    arrivals.flatMap(({ version, at }) => {
      const saved = savedAt.get(version)
      return saved === undefined ? [] : [Math.max(0, at - saved)]
    }),
  )
  const [median, p95] = [quantile(latencies, 0.5), quantile(latencies, 0.95)]
  const late = p95 > promisedMs ? [`healthy endpoints: p95 ${p95} ms`] : []
  return {
    figures: { ...figures, healthy_latency_ms: { median, p95, measured: latencies.length } },
    broken: [...broken, ...late],
  }
}

/** The same endpoints with kills, after which the healthy ones have every event. */
export const measureWebhooks = (size: { kills: number; changes: number }): Promise<Findings> =>
  measureKills({ ...size, receivers: make('healthy', 8), companions: ailing() })

/** An endpoint of the administrator. */
export function createWebhookReceiver(kind: EndpointKind, nth: number): WebhookReceiver {
  const receivedEvents: ReceivedEvent[] = []
  const arrivals: WebhookReceiver['arrivals'] = []
  let count = 0
  let check: Parameters<Receiver['start']>[1] = async () => {}
  const answer: RequestListener = async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    count++
    if (kind === 'dead') return void request.socket.destroy()
    if (kind === 'slow') await sleep(slowMs)
    if (kind === 'flapping' && count % 2 === 1) return void response.writeHead(500).end()
    const event = readEvent(request.headers['webhook-id'], chunks)
    arrivals.push({ version: Number(event.data.version), at: Date.now() })
    // The check starts at the arrival, and its time is not part of the endpoint's response.
    const checked = check([event])
    response.end()
    await checked
    receivedEvents.push(event)
  }
  const server = createServer(answer)
  return {
    name: `webhook ${kind} ${nth}`,
    isUnordered: true,
    received: receivedEvents,
    arrivals,
    async start(stage, checkEvents) {
      check = checkEvents
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const { port } = server.address() as AddressInfo
      await addEndpoint(stage, `http://127.0.0.1:${port}/`)
    },
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function readEvent(id: string | string[] | undefined, chunks: readonly Buffer[]): ReceivedEvent {
  const { type, data } = JSON.parse(Buffer.concat(chunks).toString()) as ReceivedEvent
  return { id: String(id), type, data }
}

async function addEndpoint(stage: ReaderStage, url: string): Promise<void> {
  const token = await logIn(stage)
  const answer = await stage.call('POST', '/api/webhook_endpoints', { token, body: { url } })
  if (answer?.status !== 200) throw new Error(`Could not add an endpoint: ${answer?.text}`)
}
