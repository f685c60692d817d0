import type { FastifyInstance } from 'fastify'
import { cardApi } from './api.ts'
import * as charges from './charges.ts'
import * as customers from './customers.ts'
import * as disputes from './disputes.ts'
import { invalidParameter, missingParameter, noSuch } from './errors.ts'
import * as intents from './intents.ts'
import { listPage } from './lists.ts'
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

  post('/customers', (given) => customers.create(provider, given))
  get('/customers/:id', (_given, path) => customers.find(provider, idOf(path)))
  get('/customers/:id/payment_methods', (given, path) => {
    const { id } = customers.find(provider, idOf(path))
    return listPage(
      ofType(given, methods.ofCustomer(provider, id)),
      given,
      `/v1/customers/${id}/payment_methods`,
    )
  })
  get('/customers/:id/payment_methods/:method', (_given, path) => {
    const customer = customers.find(provider, idOf(path))
    const method = methods.find(provider, idOf(path, 'method'))
    if (method.customer !== customer.id) throw noSuch('PaymentMethod', method.id)
    return method
  })

  get('/payment_methods', (given) => {
    const customer = given.text('customer')
    if (!customer) throw missingParameter('customer')
    return listPage(
      ofType(given, methods.ofCustomer(provider, customer)),
      given,
      '/v1/payment_methods',
    )
  })
  get('/payment_methods/:id', (_given, path) => methods.find(provider, idOf(path)))
  post('/payment_methods/:id/detach', (_given, path) => methods.detach(provider, idOf(path)))

  post('/checkout/sessions', (given) => sessions.create(provider, given))
  get('/checkout/sessions', (given) => {
    sessions.sweep(provider)
    const intent = given.text('payment_intent')
    const found = newest(state.all('session'))
      .map((session) => sessions.view(provider, session))
      .filter((session) => intent === undefined || session.payment_intent === intent)
    return listPage(found, given, '/v1/checkout/sessions')
  })
  get('/checkout/sessions/:id', (_given, path) =>
    sessions.view(provider, sessions.find(provider, idOf(path))),
  )
  get('/checkout/sessions/:id/line_items', (given, path) => {
    const { id, line_items } = sessions.find(provider, idOf(path))
    return listPage(line_items, given, `/v1/checkout/sessions/${id}/line_items`)
  })
  post('/checkout/sessions/:id/expire', (_given, path) => sessions.expire(provider, idOf(path)))

  post('/payment_intents', (given) => intents.create(provider, given))
  get('/payment_intents', (given) => {
    const customer = given.text('customer')
    const found = newest(state.all('intent'))
      .map(({ intent }) => intent)
      .filter((intent) => customer === undefined || intent.customer === customer)
    return listPage(found, given, '/v1/payment_intents')
  })
  get('/payment_intents/:id', (_given, path) => intents.find(provider, idOf(path)).intent)
  post('/payment_intents/:id', (given, path) => intents.update(provider, idOf(path), given))
  post('/payment_intents/:id/confirm', (given, path) =>
    intents.confirm(provider, idOf(path), given),
  )
  post('/payment_intents/:id/cancel', (given, path) => intents.cancel(provider, idOf(path), given))
  post('/payment_intents/:id/capture', (given, path) =>
    intents.capture(provider, idOf(path), given),
  )

  get('/charges', (given) => {
    const intent = given.text('payment_intent')
    const found = intent ? charges.ofIntent(provider, intent) : newest(state.all('charge'))
    return listPage(found, given, '/v1/charges')
  })
  get('/charges/:id', (_given, path) => charges.find(provider, idOf(path)))
  get('/charges/:id/refunds', (given, path) => {
    const { id } = charges.find(provider, idOf(path))
    return listPage(refunds.ofCharge(provider, id), given, `/v1/charges/${id}/refunds`)
  })

  post('/refunds', (given) => refunds.create(provider, given))
  get('/refunds', (given) => {
    const [intent, charge] = [given.text('payment_intent'), given.text('charge')]
    const found = newest(state.all('refund'))
      .filter((refund) => intent === undefined || refund.payment_intent === intent)
      .filter((refund) => charge === undefined || refund.charge === charge)
    return listPage(found, given, '/v1/refunds')
  })
  get('/refunds/:id', (_given, path) => refunds.find(provider, idOf(path)))

  get('/disputes', (given) => {
    const [intent, charge] = [given.text('payment_intent'), given.text('charge')]
    const since = given.group('created')?.whole('gte') ?? 0
    const found = newest(state.all('dispute'))
      .filter((dispute) => intent === undefined || dispute.payment_intent === intent)
      .filter((dispute) => charge === undefined || dispute.charge === charge)
      .filter(({ created }) => created >= since)
    return listPage(found, given, '/v1/disputes')
  })
  get('/disputes/:id', (_given, path) => disputes.find(provider, idOf(path)))

  get('/events', (given) => {
    const types = given.texts('types') ?? (given.has('type') ? [given.needed('type')] : undefined)
    const since = given.group('created')?.whole('gte') ?? 0
    const found = newest(state.all('event'))
      .filter(({ event }) => types === undefined || types.includes(event.type))
      .filter(({ created }) => created >= since)
      .map(events.view)
    return listPage(found, given, '/v1/events')
  })
  get('/events/:id', (_given, path) => events.view(events.find(idOf(path))))
}

/** Only cards are saved here. */
function ofType<Item>(given: Parameters, items: Item[]): Item[] {
  const type = given.text('type')
  if (type !== undefined && !/^[a-z_]+$/.test(type)) throw invalidParameter('type', 'Invalid type')
  return type === undefined || type === 'card' ? items : []
}
