import type Stripe from 'stripe'
import { randomText } from '../ids.ts'
import { noSuch } from './errors.ts'
import type { Parameters } from './parameters.ts'
import type { CardDesk } from './provider.ts'

export const find = (desk: CardDesk, id: string): Stripe.Customer => {
  const customer = desk.state.get('customer', id)
  if (!customer) throw noSuch('customer', id)
  return customer
}

export function create(desk: CardDesk, parameters: Parameters): Stripe.Customer {
  parameters.takes('description', 'email', 'expand', 'metadata', 'name', 'phone')
  const customer: Stripe.Customer = {
    id: `cus_${randomText(14)}`,
    object: 'customer',
    address: null,
    balance: 0,
    created: desk.seconds(),
    currency: null,
    customer_account: null,
    default_source: null,
    delinquent: false,
    description: parameters.textOrNull('description'),
    discount: null,
    email: parameters.textOrNull('email'),
    invoice_prefix: randomText(8).toUpperCase(),
    invoice_settings: {
      custom_fields: null,
      default_payment_method: null,
      footer: null,
      rendering_options: null,
    },
    livemode: false,
    metadata: parameters.metadata() ?? {},
    name: parameters.textOrNull('name'),
    next_invoice_sequence: 1,
    phone: parameters.textOrNull('phone'),
    preferred_locales: [],
    shipping: null,
    tax_exempt: 'none',
    test_clock: null,
  }
  desk.state.put('customer', customer)
  desk.emit('customer.created', customer)
  return customer
}
