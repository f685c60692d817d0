import type { FastifyInstance } from 'fastify'
import { cardApi } from './api.ts'
import * as charges from './charges.ts'
import * as customers from './customers.ts'
import * as disputes from './disputes.ts'
import { invalidParameter, missingParameter, noSuch, noSuchNamed } from './errors.ts'
import * as intents from './intents.ts'
import type { Parameters } from './parameters.ts'
import * as methods from './payment-methods.ts'
import type { CardProvider } from './provider.ts'
import * as refunds from './refunds.ts'
import * as sessions from './sessions.ts'

/** Stripe's API under /v1, as far as a shop needs it. */
export async function cardRoutes(
  app: FastifyInstance,
  { provider }: { provider: CardProvider },
): Promise<void> {
  const { state, events } = provider
  const { get, post } = cardApi(app, provider)
  const idOf = (path: Record<string, string>, name = 'id'): string => path[name] ?? ''
  const newest = <Item>(items: Item[]): Item[] => items.reverse()

  post('/customers', (parameters) => customers.create(provider, parameters))
  get('/customers/:id', (_given, path) => customers.find(provider, idOf(path)))
  get('/customers/:id/payment_methods', (parameters, path) => {
    const { id } = customers.find(provider, idOf(path))
    return listPage(
      ofType(parameters, methods.ofCustomer(provider, id)),
      parameters,
      `/v1/customers/${id}/payment_methods`,
    )
  })
  get('/customers/:id/payment_methods/:method', (_given, path) => {
    const customer = customers.find(provider, idOf(path))
    const method = methods.find(provider, idOf(path, 'method'))
    if (method.customer !== customer.id) throw noSuch('PaymentMethod', method.id)
    return method
  })

  get('/payment_methods', (parameters) => {
    const customer = parameters.text('customer')
    if (!customer) throw missingParameter('customer')
    return listPage(
      ofType(parameters, methods.ofCustomer(provider, customer)),
      parameters,
      '/v1/payment_methods',
    )
  })
  get('/payment_methods/:id', (_given, path) => methods.find(provider, idOf(path)))
  post('/payment_methods/:id/detach', (_given, path) => methods.detach(provider, idOf(path)))

  post('/checkout/sessions', (parameters) => sessions.create(provider, parameters))
  get('/checkout/sessions', (parameters) => {
    sessions.sweep(provider)
    const intent = parameters.text('payment_intent')
    const list = newest(state.all('session'))
      .map((session) => sessions.view(provider, session))
      .filter((session) => intent === undefined || session.payment_intent === intent)
    return listPage(list, parameters, '/v1/checkout/sessions')
  })
  get('/checkout/sessions/:id', (_given, path) =>
    sessions.view(provider, sessions.find(provider, idOf(path))),
  )
  get('/checkout/sessions/:id/line_items', (parameters, path) => {
    const { id, line_items } = sessions.find(provider, idOf(path))
    return listPage(line_items, parameters, `/v1/checkout/sessions/${id}/line_items`)
  })
  post('/checkout/sessions/:id/expire', (_given, path) => sessions.expire(provider, idOf(path)))

  post('/payment_intents', (parameters) => intents.create(provider, parameters))
  get('/payment_intents', (parameters) => {
    const customer = parameters.text('customer')
    const list = newest(state.all('intent'))
      .map(({ intent }) => intent)
      .filter((intent) => customer === undefined || intent.customer === customer)
    return listPage(list, parameters, '/v1/payment_intents')
  })
  get('/payment_intents/:id', (_given, path) => intents.find(provider, idOf(path)).intent)
  post('/payment_intents/:id', (parameters, path) =>
    intents.update(provider, idOf(path), parameters),
  )
  post('/payment_intents/:id/confirm', (parameters, path) =>
    intents.confirm(provider, idOf(path), parameters),
  )
  post('/payment_intents/:id/cancel', (parameters, path) =>
    intents.cancel(provider, idOf(path), parameters),
  )
  post('/payment_intents/:id/capture', (parameters, path) =>
    intents.capture(provider, idOf(path), parameters),
  )

  get('/charges', (parameters) => {
    const intent = parameters.text('payment_intent')
    const list = intent ? charges.ofIntent(provider, intent) : newest(state.all('charge'))
    return listPage(list, parameters, '/v1/charges')
  })
  get('/charges/:id', (_given, path) => charges.find(provider, idOf(path)))
  get('/charges/:id/refunds', (parameters, path) => {
    const { id } = charges.find(provider, idOf(path))
    return listPage(refunds.ofCharge(provider, id), parameters, `/v1/charges/${id}/refunds`)
  })

  post('/refunds', (parameters) => refunds.create(provider, parameters))
  get('/refunds', (parameters) => {
    const [intent, charge] = [parameters.text('payment_intent'), parameters.text('charge')]
    const list = newest(state.all('refund'))
      .filter((refund) => intent === undefined || refund.payment_intent === intent)
      .filter((refund) => charge === undefined || refund.charge === charge)
    return listPage(list, parameters, '/v1/refunds')
  })
  get('/refunds/:id', (_given, path) => refunds.find(provider, idOf(path)))

  get('/disputes', (parameters) => {
    const [intent, charge] = [parameters.text('payment_intent'), parameters.text('charge')]
    const since = parameters.group('created')?.whole('gte') ?? 0
    const list = newest(state.all('dispute'))
      .filter((dispute) => intent === undefined || dispute.payment_intent === intent)
      .filter((dispute) => charge === undefined || dispute.charge === charge)
      .filter(({ created }) => created >= since)
    return listPage(list, parameters, '/v1/disputes')
  })
  get('/disputes/:id', (_given, path) => disputes.find(provider, idOf(path)))

  get('/events', (parameters) => {
    const types =
      parameters.texts('types') ??
      (parameters.has('type') ? [parameters.needed('type')] : undefined)
    const since = parameters.group('created')?.whole('gte') ?? 0
    const list = newest(state.all('event'))
      .filter(({ event }) => types === undefined || types.includes(event.type))
      .filter(({ created }) => created >= since)
      .map(events.view)
    return listPage(list, parameters, '/v1/events')
  })
  get('/events/:id', (_given, path) => events.view(events.find(idOf(path))))
}

/** The sandbox saves cards only, so other types have no items. */
function ofType<Item>(parameters: Parameters, items: Item[]): Item[] {
  const type = parameters.text('type')
  if (type !== undefined && !/^[a-z_]+$/.test(type)) throw invalidParameter('type', 'Invalid type')
  return type === undefined || type === 'card' ? items : []
}

/** One page of a list whose newest object comes first. */
function listPage<Item extends { id: string }>(
  items: readonly Item[],
  parameters: Parameters,
  url: string,
) {
  const limit = Math.min(Math.max(parameters.whole('limit') ?? 10, 1), 100)
  const indexOf = (name: string): number | undefined => {
    const id = parameters.text(name)
    if (id === undefined) return undefined
    const index = items.findIndex((item) => item.id === id)
    if (index < 0) throw noSuchNamed('object', id, name)
    return index
  }
  const after = indexOf('starting_after')
  const before = indexOf('ending_before')
  if (before !== undefined) {
    const start = Math.max(0, before - limit)
    return { object: 'list', data: items.slice(start, before), has_more: start > 0, url }
  }
  const start = after === undefined ? 0 : after + 1
  const data = items.slice(start, start + limit)
  return { object: 'list', data, has_more: start + limit < items.length, url }
}
