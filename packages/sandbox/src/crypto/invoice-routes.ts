import type { FastifyInstance } from 'fastify'
import { readForm } from '../forms.ts'
import { viewClaim, viewPayouts } from './claims.ts'
import * as invoices from './invoice-actions.ts'
import { viewInvoice, viewPrompts } from './invoices.ts'
import { storeMethods } from './methods.ts'
import type { StoredInvoice, StoreMethod } from './objects.ts'
import { invalid, notFound, refusalError } from './problems.ts'
import type { CryptoDesk } from './provider.ts'
import { isGroup } from './requests.ts'

type Path = { Params: { id: string; method: string } }

/**
 * The API of invoices and their payment methods. Only paths that every BTCPay 2.x has:
 * `/invoices/{id}` without the store came with 2.4.0.
 */
export function invoiceRoutes(app: FastifyInstance, provider: CryptoDesk): void {
  const { state } = provider
  const view = (invoice: StoredInvoice) => viewInvoice(invoice, provider.origin())

  app.post('/stores/:storeId/invoices', ({ body }) =>
    Promise.resolve(view(invoices.create(provider, body))),
  )
  app.get('/stores/:storeId/invoices', async ({ url }) => {
    const query = new URLSearchParams(/\?(.*)$/s.exec(url)?.[1] ?? '')
    const [skip, take] = [Number(query.get('skip') ?? 0), Number(query.get('take') ?? 100)]
    if (!(skip >= 0 && take >= 0)) throw invalid({ path: 'skip', message: 'Give whole numbers.' })
    invoices.sweep(provider)
    return state
      .all('invoice')
      .filter((invoice) => matchesQuery(invoice, query))
      .reverse()
      .slice(skip, skip + take)
      .map((invoice) => ({
        ...view(invoice),
        ...(query.get('includePaymentMethods') === 'true'
          ? { paymentMethods: viewPrompts(invoice, true) }
          : {}),
      }))
  })
  app.get<Path>('/stores/:storeId/invoices/:id', async ({ params, url }) => {
    const invoice = invoices.find(provider, params.id)
    if (readForm(/\?(.*)$/s.exec(url)?.[1] ?? '')['includePaymentMethods'] !== 'true')
      return view(invoice)
    return { ...view(invoice), paymentMethods: viewPrompts(invoice, true) }
  })
  app.put<Path>('/stores/:storeId/invoices/:id', async ({ params, body }) => {
    const metadata = isGroup(body) ? body['metadata'] : undefined
    if (!isGroup(metadata)) throw invalid({ path: 'metadata', message: 'Give an object.' })
    return view(invoices.update(provider, params.id, { metadata }))
  })
  app.delete<Path>('/stores/:storeId/invoices/:id', async ({ params }, reply) => {
    invoices.update(provider, params.id, { archived: true })
    return reply.send()
  })
  app.post<Path>('/stores/:storeId/invoices/:id/unarchive', async ({ params }) => {
    if (!invoices.find(provider, params.id).archived) {
      throw refusalError(400, 'already-unarchived', 'Invoice is already unarchived')
    }
    return view(invoices.update(provider, params.id, { archived: false }))
  })
  app.post<Path>('/stores/:storeId/invoices/:id/status', async ({ params, body }) =>
    view(invoices.mark(provider, params.id, isGroup(body) ? body['status'] : undefined)),
  )
  app.get<Path>('/stores/:storeId/invoices/:id/payment-methods', async ({ params, query }) => {
    const { onlyAccountedPayments } = query as { onlyAccountedPayments?: string }
    return viewPrompts(invoices.find(provider, params.id), onlyAccountedPayments !== 'false')
  })
  app.post<Path>(
    '/stores/:storeId/invoices/:id/payment-methods/:method/activate',
    async ({ params }, reply) => {
      const { prompts } = invoices.find(provider, params.id)
      if (!prompts.some(({ method }) => method === params.method)) {
        throw invalid({ path: 'paymentMethod', message: 'Invalid payment method' })
      }
      return reply.send()
    },
  )
  app.post<Path>('/stores/:storeId/invoices/:id/refund', async ({ params, body }) =>
    viewClaim(invoices.refund(provider, params.id, body), provider.origin()),
  )

  app.get('/stores/:storeId/pull-payments', async () =>
    state.all('claim').map((claim) => viewClaim(claim, provider.origin())),
  )
  app.get<Path>('/pull-payments/:id', async ({ params }) => {
    const claim = state.get('claim', params.id)
    if (!claim) throw notFound('pullpayment')
    return viewClaim(claim, provider.origin())
  })

  app.get<Path>('/pull-payments/:id/payouts', async ({ params }) => {
    const claim = state.get('claim', params.id)
    if (!claim) throw notFound('pullpayment')
    return viewPayouts(claim)
  })

  const viewMethod = ({ id, enabled, config }: StoreMethod, withConfig: boolean) => ({
    enabled,
    paymentMethodId: id,
    config: withConfig ? config : null,
  })
  const findMethod = (id: string): StoreMethod => {
    const method = storeMethods(state).find((one) => one.id === id)
    if (!method) throw notFound('paymentmethod')
    return method
  }
  app.get('/stores/:storeId/payment-methods', async ({ query }) => {
    const { onlyEnabled, includeConfig } = query as Record<string, string | undefined>
    return storeMethods(state)
      .filter(({ enabled }) => enabled || onlyEnabled !== 'true')
      .map((method) => viewMethod(method, includeConfig === 'true'))
  })
  app.get<Path>('/stores/:storeId/payment-methods/:method', async ({ params, query }) => {
    const { includeConfig } = query as Record<string, string | undefined>
    return viewMethod(findMethod(params.method), includeConfig === 'true')
  })
  app.put<Path>('/stores/:storeId/payment-methods/:method', async ({ params, body }) => {
    const method = findMethod(params.method)
    const members = isGroup(body) ? body : {}
    const isEnabled = typeof members['enabled'] === 'boolean' ? members['enabled'] : method.enabled
    const config = isGroup(members['config']) ? members['config'] : method.config
    const changedMethod = { ...method, enabled: isEnabled, config }
    state.change(() => state.put('store_method', changedMethod))
    return viewMethod(changedMethod, true)
  })
  app.delete<Path>('/stores/:storeId/payment-methods/:method', async ({ params }, reply) => {
    const method = findMethod(params.method)
    state.change(() => state.put('store_method', { ...method, enabled: false, config: null }))
    return reply.send()
  })
}

function matchesQuery(invoice: StoredInvoice, query: URLSearchParams): boolean {
  const [orders, statuses] = [query.getAll('orderId'), query.getAll('status')]
  const since = Number(query.get('startDate') ?? 0)
  const until = Number(query.get('endDate') ?? Number.POSITIVE_INFINITY)
  const search = query.get('textSearch')
  const searched = () => JSON.stringify([invoice.id, invoice.metadata]).includes(search ?? '')
  return (
    (!invoice.archived || query.get('includeArchived') === 'true') &&
    (orders.length === 0 || orders.includes(String(invoice.metadata['orderId'] ?? ''))) &&
    (statuses.length === 0 || statuses.includes(invoice.status)) &&
    invoice.createdTime >= since &&
    invoice.createdTime <= until &&
    (!search || searched())
  )
}
