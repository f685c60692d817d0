import type { FastifyInstance } from 'fastify'
import { randomText } from '../ids.ts'
import type { Webhook } from './objects.ts'
import { invalid, notFound } from './problems.ts'
import type { CryptoDesk } from './provider.ts'
import { isGroup } from './requests.ts'
import { viewDelivery, viewWebhook } from './webhooks.ts'

type Path = { Params: { id: string; delivery: string } }

/** The store's webhooks and their deliveries. */
export function webhookRoutes(app: FastifyInstance, provider: CryptoDesk): void {
  const { state, webhooks } = provider
  const find = (id: string): Webhook => {
    const webhook = state.get('webhook', id)
    if (!webhook) throw notFound('webhook')
    return webhook
  }
  const put = (webhook: Webhook): Webhook => {
    state.change(() => state.put('webhook', webhook))
    return webhook
  }

  app.get('/stores/:storeId/webhooks', async () => state.all('webhook').map(viewWebhook))
  app.post('/stores/:storeId/webhooks', async ({ body }) =>
    put(readWebhook(body, { ...blank, id: randomText(22), secret: randomText(28) })),
  )
  app.get<Path>('/stores/:storeId/webhooks/:id', async ({ params }) => viewWebhook(find(params.id)))
  app.put<Path>('/stores/:storeId/webhooks/:id', async ({ params, body }) =>
    viewWebhook(put(readWebhook(body, find(params.id)))),
  )
  app.delete<Path>('/stores/:storeId/webhooks/:id', async ({ params }, reply) => {
    const { id } = find(params.id)
    state.change(() => state.remove('webhook', id))
    return reply.send()
  })

  app.get<Path>('/stores/:storeId/webhooks/:id/deliveries', async ({ params, query }) => {
    const { count } = query as { count?: string }
    const deliveries = webhooks.deliveriesOf(find(params.id).id).map(viewDelivery)
    return /^\d+$/.test(count ?? '') ? deliveries.slice(0, Number(count)) : deliveries
  })
  app.get<Path>('/stores/:storeId/webhooks/:id/deliveries/:delivery', async ({ params }) =>
    viewDelivery(webhooks.findDelivery(params.id, params.delivery)),
  )
  app.get<Path>('/stores/:storeId/webhooks/:id/deliveries/:delivery/request', async ({ params }) =>
    webhooks.read(webhooks.findDelivery(params.id, params.delivery).id),
  )
  app.post<Path>(
    '/stores/:storeId/webhooks/:id/deliveries/:delivery/redeliver',
    async ({ params }, reply) => {
      const redelivery = webhooks.redeliver(webhooks.findDelivery(params.id, params.delivery))
      return reply.type('application/json; charset=utf-8').send(JSON.stringify(redelivery))
    },
  )
}

const blank = {
  enabled: true,
  automaticRedelivery: true,
  url: '',
  authorizedEvents: { everything: true, specificEvents: [] },
}

function readWebhook(body: unknown, before: Webhook): Webhook {
  if (!isGroup(body)) throw invalid({ path: '', message: 'Send a JSON object.' })
  const url = body['url'] ?? before.url
  const isAddress = typeof url === 'string' && URL.canParse(url) && /^https?:/.test(url)
  if (!isAddress) throw invalid({ path: 'url', message: 'Give an address.' })
  const events = isGroup(body['authorizedEvents']) ? body['authorizedEvents'] : {}
  const specific = events['specificEvents']
  const flag = (value: unknown, fallback: boolean) =>
    typeof value === 'boolean' ? value : fallback
  return {
    id: before.id,
    enabled: flag(body['enabled'], before.enabled),
    automaticRedelivery: flag(body['automaticRedelivery'], before.automaticRedelivery),
    url,
    authorizedEvents: {
      everything: flag(events['everything'], before.authorizedEvents.everything),
      specificEvents: Array.isArray(specific)
        ? specific.filter((one) => typeof one === 'string')
        : before.authorizedEvents.specificEvents,
    },
    secret: typeof body['secret'] === 'string' && body['secret'] ? body['secret'] : before.secret,
  }
}
