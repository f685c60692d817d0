import type Stripe from 'stripe'
import { intentState } from '../src/platform/payments/card-state.ts'
import { type Invoice, type Method, stateOf } from '../src/platform/payments/crypto-state.ts'
import type { AnyShop } from './commerce-stage.ts'

type Provider = 'card' | 'crypto'
/** The provider's account statement. */
export type Statement = {
  /** Payments received. */
  payments: { provider: Provider; reference: string; amount_in_cents: number }[]
  /** Refunds paid or offered. `key` is the name of our refund. */
  refunds: { provider: Provider; reference: string; key: string; amount_in_cents: number }[]
  /** Objects created for payment attempts. */
  objects: { provider: Provider; reference: string; attempt_id: string; is_open: boolean }[]
}
type ListedInvoice = Invoice & { paymentMethods: Method[] }
type Claim = { id: string; description: string; amount: string }

const perPage = 100
const openIntents = ['requires_payment_method', 'requires_confirmation', 'requires_action']

export async function readStatement(shop: AnyShop): Promise<Statement> {
  const [card, crypto] = [await readCards(shop), await readCoins(shop)]
  return {
    payments: [...card.payments, ...crypto.payments],
    refunds: [...card.refunds, ...crypto.refunds],
    objects: [...card.objects, ...crypto.objects],
  }
}

async function readCards({ statementOf, secrets }: AnyShop): Promise<Statement> {
  const list = async <Item extends { id: string }>(path: string): Promise<Item[]> => {
    const items: Item[] = []
    for (;;) {
      const last = items.at(-1)
      const after = last ? `&starting_after=${last.id}` : ''
      const listPath = `/v1/${path}?limit=${perPage}${after}`
      const page = await statementOf(listPath, `Bearer ${secrets.card_key}`)
      const { data, has_more } = page as { data: Item[]; has_more: boolean }
      items.push(...data)
      if (!has_more) return items
    }
  }
  const intents = await list<Stripe.PaymentIntent>('payment_intents')
  const sessions = await list<Stripe.Checkout.Session>('checkout/sessions')
  const refunds = await list<Stripe.Refund>('refunds')
  const inSessions = new Set(sessions.map(({ payment_intent }) => payment_intent))
  const provider = 'card' as const
  return {
    payments: intents.flatMap((intent) =>
      intentState(intent).payments.map((payment) => ({ provider, ...payment })),
    ),
    refunds: refunds.map(({ id, amount, metadata }) => ({
      provider,
      reference: id,
      key: metadata?.['key'] ?? '',
      amount_in_cents: amount,
    })),
    objects: [
      ...intents
        .filter(({ id }) => !inSessions.has(id))
        .map(({ id, metadata, status }) => ({
          provider,
          reference: id,
          attempt_id: metadata['attempt_id'] ?? '',
          is_open: openIntents.includes(status),
        })),
      ...sessions.map(({ id, metadata, status }) => ({
        provider,
        reference: id,
        attempt_id: metadata?.['attempt_id'] ?? '',
        is_open: status === 'open',
      })),
    ],
  }
}

async function readCoins({ statementOf, secrets }: AnyShop): Promise<Statement> {
  const ask = (path: string) =>
    statementOf(`/api/v1/stores/sandbox/${path}`, `token ${secrets.crypto_key}`)
  const listedInvoices = (await ask(
    'invoices?take=1000000&includeArchived=true&includePaymentMethods=true',
  )) as ListedInvoice[]
  // The other methods only quote a rate and cannot be paid.
  const invoices = listedInvoices.filter(({ metadata }) => metadata?.orderId !== undefined)
  const methods = listedInvoices.flatMap(({ paymentMethods }) => paymentMethods)
  const rate = Number(methods.find(({ currency }) => currency === 'BTC')?.rate ?? 0)
  const claims = (await ask('pull-payments?includeArchived=true')) as Claim[]
  const provider = 'crypto' as const
  return {
    payments: invoices.flatMap((invoice) =>
      stateOf(invoice, invoice.paymentMethods, new Map()).payments.map((payment) => ({
        provider,
        ...payment,
      })),
    ),
    refunds: claims.map(({ id, description, amount }) => ({
      provider,
      reference: id,
      key: description.replace('Refund ', ''),
      // Claims are in bitcoin. The sandbox rate is constant.
      amount_in_cents: Math.round(Number(amount) * rate * 100),
    })),
    objects: invoices.map(({ id, metadata, status }) => ({
      provider,
      reference: id,
      attempt_id: String(metadata?.orderId ?? ''),
      is_open: status === 'New',
    })),
  }
}
