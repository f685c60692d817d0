import type Stripe from 'stripe'
import { invalidParameter, missingParameter } from './errors.ts'
import { captureMethods, futureUsages } from './intent-object.ts'
import type { Parameters } from './parameters.ts'
import { lineItem } from './session-object.ts'

const minute = 60
const shortest = 30 * minute
const longest = 24 * 60 * minute

export function readItem(parameters: Parameters, created: number): Stripe.LineItem {
  parameters.takes('price_data', 'quantity')
  const price = parameters.group('price_data')
  if (!price) throw missingParameter(parameters.named('price_data'))
  price.takes('currency', 'product_data', 'tax_behavior', 'unit_amount')
  const product = price.group('product_data')
  if (!product) throw missingParameter(price.named('product_data'))
  product.takes('description', 'images', 'metadata', 'name')
  price.needed('unit_amount')
  const item = {
    name: product.needed('name'),
    unit_amount: price.whole('unit_amount') ?? 0,
    quantity: parameters.whole('quantity') ?? 1,
    currency: price.currency('currency'),
  }
  if (item.unit_amount < 0 || item.quantity < 1 || item.quantity > 10_000) {
    throw invalidParameter(parameters.named('quantity'), 'Prices and quantities can’t be negative.')
  }
  return lineItem(item, created)
}

export function readIntentData(parameters: Parameters): Partial<Stripe.PaymentIntent> {
  const data = parameters.group('payment_intent_data')
  if (!data) return {}
  data.takes('capture_method', 'description', 'metadata', 'receipt_email', 'setup_future_usage')
  return {
    capture_method: data.oneOf('capture_method', captureMethods) ?? 'automatic',
    description: data.textOrNull('description'),
    metadata: data.metadata() ?? {},
    receipt_email: data.textOrNull('receipt_email'),
    setup_future_usage: data.oneOf('setup_future_usage', futureUsages) ?? null,
  }
}

export function readSaving(
  parameters: Parameters,
  customer: string | null,
): Stripe.Checkout.Session.SavedPaymentMethodOptions | null {
  const options = parameters.group('saved_payment_method_options')
  if (!options) return customer ? saving('disabled') : null
  options.takes('payment_method_save')
  if (!customer) {
    const message = 'Only a customer can save payment methods: give `customer` too.'
    throw invalidParameter('saved_payment_method_options', message)
  }
  return saving(options.oneOf('payment_method_save', ['enabled', 'disabled']) ?? 'disabled')
}

const saving = (payment_method_save: 'enabled' | 'disabled') => ({
  allow_redisplay_filters: ['always' as const],
  payment_method_remove: 'disabled' as const,
  payment_method_save,
})

export function readExpiry(parameters: Parameters, now: number): number {
  const expires_at = parameters.whole('expires_at') ?? now + longest
  if (expires_at < now + shortest) {
    const message =
      'The `expires_at` timestamp must be at least 30 minutes from Checkout Session creation.'
    throw invalidParameter('expires_at', message)
  }
  if (expires_at > now + longest) {
    const message =
      'The `expires_at` timestamp must be less than 24 hours from Checkout Session creation.'
    throw invalidParameter('expires_at', message)
  }
  return expires_at
}

export function readAddress(parameters: Parameters, name: string): string {
  const url = parameters.needed(name)
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw invalidParameter(name, 'Not a valid URL', 'url_invalid')
  }
  return url
}
