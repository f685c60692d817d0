import { minuteMs } from '../time.ts'
import type { Method } from './crypto-state.ts'
import type { createGreenfield } from './greenfield.ts'

type Options = {
  greenfield: ReturnType<typeof createGreenfield>
  store: string
  now: () => Date
}

const cachedMs = minuteMs

/**
 * Current exchange rates. BTCPay reports rates only to keys that may read the store settings, so an
 * invoice is created and archived to read its rate: every key may do that.
 */
export function createRates({ greenfield, store, now }: Options) {
  const knownRates = new Map<string, { rate: string; until: number }>()

  async function readRate(paymentMethodId: string, amount: string): Promise<string | undefined> {
    const { id } = await greenfield.post<{ id: string }>(`${store}/invoices`, {
      amount,
      currency: 'USD',
      metadata: { itemDesc: 'Rate of a late payment; nothing to pay' },
      checkout: {
        expirationMinutes: 1,
        monitoringMinutes: 0,
        lazyPaymentMethods: false,
        paymentMethods: [paymentMethodId],
      },
    })
    const path = `${store}/invoices/${encodeURIComponent(id)}`
    const methods = await greenfield.get<Method[]>(`${path}/payment-methods`)
    await greenfield.tryDelete(path)
    return methods.find((method) => method.paymentMethodId === paymentMethodId)?.rate
  }

  /** Undefined for a coin that the store no longer accepts. */
  return async function rateNow(method: string, amount: string): Promise<string | undefined> {
    const earlier = knownRates.get(method)
    if (earlier && earlier.until > now().getTime()) return earlier.rate
    const rate = await readRate(method, amount)
    if (rate !== undefined) knownRates.set(method, { rate, until: now().getTime() + cachedMs })
    return rate
  }
}
