import type Stripe from 'stripe'
import { askStripe, isGone, isRefusal } from './card-faults.ts'
import { withUnspentKey } from './card-keys.ts'
import type { SavedCard } from './gateway.ts'

export const createCustomer = (stripe: Stripe, user_id: string): Promise<string> =>
  askStripe('create a customer', async () => {
    const customer = await withUnspentKey(`customer-${user_id}`, (idempotencyKey) =>
      stripe.customers.create({ metadata: { user_id } }, { idempotencyKey }),
    )
    return customer.id
  })

export const listSavedCards = (stripe: Stripe, customer: string): Promise<SavedCard[]> =>
  askStripe('list cards', async () => {
    const { data } = await stripe.customers.listPaymentMethods(customer, { limit: 100 })
    return data.map(savedCard)
  })

export const findSavedCard = (
  stripe: Stripe,
  customer: string,
  id: string,
): Promise<SavedCard | undefined> =>
  askStripe('find a card', async () => {
    if (!/^\w{1,255}$/.test(id)) return undefined
    return orNone(async () => savedCard(await stripe.customers.retrievePaymentMethod(customer, id)))
  })

export async function forgetSavedCard(
  stripe: Stripe,
  customer: string,
  id: string,
): Promise<SavedCard | undefined> {
  if (!(await findSavedCard(stripe, customer, id))) return undefined
  return askStripe('remove a card', () =>
    orNone(async () => savedCard(await stripe.paymentMethods.detach(id))),
  )
}

/** Undefined for a card of another customer, an unknown card, or a card removed meanwhile. */
async function orNone(read: () => Promise<SavedCard>): Promise<SavedCard | undefined> {
  try {
    return await read()
  } catch (error) {
    if (isGone(error) || isRefusal(error)) return undefined
    throw error
  }
}

const savedCard = ({ id, type, card }: Stripe.PaymentMethod): SavedCard => ({
  id,
  payment_type: type,
  brand: card?.brand ?? null,
  country: card?.country ?? null,
  last4: card?.last4 ?? null,
  exp_month: card?.exp_month ?? null,
  exp_year: card?.exp_year ?? null,
})
