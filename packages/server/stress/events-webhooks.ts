// Webhook endpoints as receivers of `measureKills`. Healthy ones get every event despite dead, slow
// and flapping ones beside them.
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { admin, type Findings, quantile, type Stage } from './account-stage.ts'
import { measureKills } from './events-kills.ts'
import type { ReceivedEvent, Receiver } from './events-readers.ts'

type EndpointKind = 'healthy' | 'slow' | 'flapping' | 'dead'

const slowMs = 10_000

type WebhookReceiver = Receiver & { latenciesMs: number[] }

const promisedMs = 2_000
/** 24 ids: about 12 changes per second. */
const writerPauseMs = 2_000

const make = (kind: EndpointKind, count: number): WebhookReceiver[] =>
  Array.from({ length: count }, (_, nth) => createWebhookReceiver(kind, nth))
const ailing = () => [...make('dead', 4), ...make('slow', 4), ...make('flapping', 4)]

/**
 * 20 endpoints, of which 4 are dead, 4 slow and 4 flapping. First without kills, for the latency of
 * the healthy ones; then with kills, after which they have every event.
 */
export async function measureWebhooks(size: { kills: number; changes: number }): Promise<Findings> {
  const healthy = make('healthy', 8)
  const changes = Math.ceil(size.changes / 8)
  const calm = { kills: 0, changes, writerPauseMs }
  const quiet = await measureKills({ ...calm, receivers: healthy, companions: ailing() })
  const latencies = healthy.flatMap(({ latenciesMs }) => latenciesMs)
  const [median, p95] = [quantile(latencies, 0.5), quantile(latencies, 0.95)]
  const late = p95 > promisedMs ? [`healthy endpoints: p95 ${p95} ms`] : []
  const killedFindings = await measureKills({
    ...size,
    receivers: make('healthy', 8),
    companions: ailing(),
  })
  return {
    figures: {
      without_kills: { ...quiet.figures, healthy_latency_ms: { median, p95 } },
      with_kills: killedFindings.figures,
    },
    broken: [...quiet.broken, ...late, ...killedFindings.broken],
  }
}

/** An endpoint of the administrator. */
function createWebhookReceiver(kind: EndpointKind, nth: number): WebhookReceiver {
  const receivedEvents: ReceivedEvent[] = []
  const latenciesMs: number[] = []
  let count = 0
  let check: Parameters<Receiver['start']>[1] = async () => {}
  const answer: RequestListener = async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    count++
    if (kind === 'dead') return void request.socket.destroy()
    if (kind === 'slow') await sleep(slowMs)
    if (kind === 'flapping' && count % 2 === 1) return void response.writeHead(500).end()
    const { timestamp, ...event } = readEvent(request.headers['webhook-id'], chunks)
    latenciesMs.push(Date.now() - Date.parse(timestamp))
    await check([event])
    receivedEvents.push(event)
    response.end()
  }
  const server = createServer(answer)
  return {
    name: `webhook ${kind} ${nth}`,
    isUnordered: true,
    received: receivedEvents,
    latenciesMs,
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

function readEvent(id: string | string[] | undefined, chunks: readonly Buffer[]) {
  const { type, timestamp, data } = JSON.parse(
    Buffer.concat(chunks).toString(),
  ) as ReceivedEvent & {
    timestamp: string
  }
  return { id: String(id), type, timestamp, data }
}

async function addEndpoint(stage: Stage, url: string): Promise<void> {
  const signedIn = await stage.patiently(() => stage.post('/api/auth/token', admin))
  const { access_token: token } = JSON.parse(signedIn?.text ?? '{}') as { access_token: string }
  const answer = await stage.call('POST', '/api/webhook_endpoints', { token, body: { url } })
  if (answer?.status !== 200) throw new Error(`Could not add an endpoint: ${answer?.text}`)
}
