import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Person } from './people.ts'
import type { TestService } from './service.ts'

export type ReceivedRequest = { headers: Record<string, string>; body: string; at: number }
type Respond = (request: IncomingMessage, response: ServerResponse, nth: number) => void

/** A receiver of webhooks, which records every request and responds as the test says. */
export async function webhookReceiver(
  respond: Respond = (_request, response) => response.end(),
  listensAt = '127.0.0.1',
) {
  const received: ReceivedRequest[] = []
  const state = { respond, atOnce: 0, mostAtOnce: 0 }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    )
    received.push({ headers, body: Buffer.concat(chunks).toString(), at: Date.now() })
    state.atOnce++
    state.mostAtOnce = Math.max(state.mostAtOnce, state.atOnce)
    response.once('close', () => state.atOnce--)
    state.respond(request, response, received.length)
  })
  await new Promise<void>((resolve) => server.listen(0, listensAt, resolve))
  const { port } = server.address() as AddressInfo
  return {
    received,
    state,
    port,
    url: `http://127.0.0.1:${port}/hook`,
    eventIds: () => received.map(({ headers }) => headers['webhook-id'] ?? ''),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export type EndpointView = {
  id: string
  url: string
  status: string
  status_reason: string | null
  hold_until: string | null
  replay_from: string | null
  secret: string
}
export type DeliveryView = {
  id: string
  event_id: string
  type: string
  status: string
  tries: number
  response_status: number | null
  latency_ms: number | null
  answer: string | null
  error: string | null
  next_try_at: string | null
}

type Caller = Pick<Person, 'get' | 'post'>

export async function addEndpoint(
  caller: Caller,
  url: string,
  more: Record<string, unknown> = {},
): Promise<EndpointView> {
  const answer = await caller.post('/api/webhook_endpoints', { url, ...more })
  if (answer.status !== 200) throw new Error(`Could not add an endpoint: ${answer.body}`)
  return answer.json<EndpointView>()
}

export const endpointOf = async (caller: Caller, id: string) =>
  (await caller.get(`/api/webhook_endpoints/${id}`)).json<EndpointView>()

export const deliveriesOf = async (caller: Caller, id: string, query = '') =>
  (await caller.get(`/api/webhook_endpoints/${id}/deliveries?${query}`)).json<{
    data: DeliveryView[]
  }>().data

type Audience = { user_id?: string; organization_id?: string }

/** Records an event as a feature does; returns its public id. */
export async function recordEvent(
  service: TestService,
  type: 'order.paid' | 'transfer.offered' | 'emoji_id.records_changed' | 'emoji_id.transferred',
  audience: Audience[],
  { emoji_id, data = {} }: { emoji_id?: string; data?: Record<string, unknown> } = {},
): Promise<string> {
  return service.db.transaction().execute(async (trx) => {
    await service.events.recordEvent(trx, {
      type,
      ...(emoji_id ? { emoji_id } : {}),
      data: { version: 1, ...data },
      audience,
    })
    const row = await trx
      .selectFrom('events')
      .select('event_id')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
    return row.event_id
  })
}
