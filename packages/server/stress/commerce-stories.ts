import { randomInt } from 'node:crypto'
import { keyPair, signActivation } from '../test/support/schnorr.ts'
import type { Load, Story } from './commerce-load.ts'
import { type AnyShop, type Order, type Person, payAddress } from './commerce-stage.ts'

const urls = {
  success_url: 'https://shop.example.com/thanks',
  cancel_url: 'https://shop.example.com/',
}
const usesPerCode = 4
const scarceCodes = 50

/** Every possible course of a cart, one function each. */
export async function storiesOf(shop: AnyShop, load: Load): Promise<Record<string, Story>> {
  const { ask, checkout, atProvider, cash, fillCart, awaitPaid } = load
  const freeCode = await shop.makeCode({ discount_as_percentage: 100 })
  const key = keyPair()
  const chance = await shop.makeCode({
    code_type: 'RandomYat',
    activator: 'SecretKey',
    redemption_code: undefined,
    discount_as_percentage: 100,
    pattern: { min_length: 5 },
  })
  await shop.operator.insist('POST', `/codes/${chance.id}/pubkeys/${key.pubkey}`)
  const scarce: { redemption_code: string }[] = []
  for (let n = 0; n < scarceCodes; n++) {
    scarce.push(await shop.makeCode({ discount_as_percentage: 30, max_uses: usesPerCode }))
  }

  /** A cart that waits for its payment, or `undefined` if another buyer holds the ids. */
  const begin = async (person: Person, method: string, more = {}): Promise<Order | undefined> => {
    await fillCart(person)
    const { status, body } = await checkout(person, method, more)
    return status === 200 ? body : undefined
  }
  const useCode = (person: Person, code: string) =>
    ask(person, 'POST', '/cart/promo_code', { code })
  const someMethod = () => (randomInt(2) ? 'CardCheckout' : 'CryptoCommerce')

  return {
    async card(person) {
      const order = await begin(person, 'CardCheckout', randomInt(2) ? urls : {})
      if (!order) return
      await atProvider(payAddress(order))
      await awaitPaid(person, order)
    },
    async 'slow card payment'(person) {
      const order = await begin(person, 'CardCheckout')
      if (!order) return
      const intent = `/intents/${order.payment_method_data?.payment_intent_id}`
      await atProvider(`${intent}/decline`)
      load.noteUnconfirmed(`${intent}/settle`)
      await atProvider(`${intent}/pay`, { outcome: 'processing' })
      if (randomInt(2)) await atProvider(`${intent}/settle`)
      await awaitPaid(person, order)
    },
    async cryptocurrency(person) {
      const order = await begin(person, 'CryptoCommerce')
      if (!order) return
      const payments = [[{}], [{ percent: 99.5 }], [{ percent: 150 }], [{ percent: 50 }, {}]]
      for (const payment of payments[randomInt(payments.length)] ?? []) {
        await atProvider(payAddress(order), { method: 'BTC-LN', ...payment })
      }
      await awaitPaid(person, order)
    },
    async 'cryptocurrency, confirmed later'(person) {
      const order = await begin(person, 'CryptoCommerce')
      if (!order) return
      const invoice = `/invoices/${order.payment_method_data?.invoice_id}`
      load.noteUnconfirmed(`${invoice}/confirm`)
      await atProvider(`${invoice}/pay`, { confirmed: false })
      if (randomInt(2)) await atProvider(`${invoice}/confirm`)
      await awaitPaid(person, order)
    },
    async 'partly in cryptocurrency, the rest by a code'(person) {
      const order = await begin(person, 'CryptoCommerce')
      if (!order) return
      await atProvider(payAddress(order), { method: 'BTC-LN', percent: 40 })
      await awaitPaid(person, order)
      await useCode(person, freeCode.redemption_code)
      await checkout(person, 'Free')
    },
    async code(person) {
      if (!(await begin(person, someMethod()))) return
      await useCode(person, freeCode.redemption_code)
      await checkout(person, 'Free')
    },
    async 'code with few uses'(person) {
      if (!(await begin(person, someMethod()))) return
      const { code, body } = await useCode(person, scarce[0]?.redemption_code ?? '')
      if (code === 'invalid_code' && scarce.length > 1) scarce.shift()
      if (!body.payment_method_data) return
      if (randomInt(3) === 0) return load.leaveForLater(payAddress(body))
      await atProvider(payAddress(body))
      await awaitPaid(person, body)
    },
    async free(person) {
      await fillCart(person)
      await checkout(person, 'Free')
    },
    async cash(person) {
      const order = randomInt(2) ? await fillCart(person) : await begin(person, someMethod())
      if (!order) return
      const { remaining_due_in_cents: due } = order
      if (randomInt(2)) await cash(order, due + randomInt(100))
      else if ((await cash(order, Math.ceil(due / 2))).status === 200) await cash(order, due)
    },
    async 'cancelled checkout'(person) {
      const order = await begin(person, someMethod())
      if (!order) return
      await ask(person, 'POST', '/cart/convert_to_draft')
      if (randomInt(2)) load.leaveForLater(payAddress(order))
    },
    async 'unpaid checkout'(person) {
      const order = await begin(person, someMethod())
      if (order) load.leaveForLater(payAddress(order))
    },
    async 'paid twice'(person) {
      const first = await begin(person, 'CardCheckout')
      if (!first) return
      const { body: second } = await checkout(person, 'CryptoCommerce')
      await atProvider(payAddress(first))
      if (second.payment_method_data) await atProvider(payAddress(second))
      await awaitPaid(person, first)
    },
    async 'repeated checkout'(person) {
      const first = await begin(person, 'CryptoCommerce')
      if (!first) return
      await ask(person, 'POST', '/cart/convert_to_draft')
      const { status, body: second } = await checkout(person, 'CryptoCommerce')
      await atProvider(payAddress(first))
      if (status === 200) await atProvider(payAddress(second))
      await awaitPaid(person, first)
    },
    async 'random id'(person) {
      const proof = signActivation(key, person.id, chance.id)
      await fillCart(person)
      await ask(person, 'POST', `/codes/${chance.id}/random_yat`, proof)
      await checkout(person, 'Free')
    },
    async override(person) {
      const order = await begin(person, someMethod())
      const reason = { reason: 'Stress' }
      if (order) await ask(load.operator, 'POST', `/orders/${order.id}/payment_override`, reason)
    },
    async refund() {
      const paidOrderIds = [...load.answeredPaid]
      const id = paidOrderIds[randomInt(paidOrderIds.length + 1)]
      if (!id) return
      const [path, amount] = randomInt(2)
        ? ['refund', {}]
        : ['misc_refund', { amount_in_cents: 1 + randomInt(50) }]
      await ask(load.operator, 'POST', `/orders/${id}/${path}`, { reason: 'Stress', ...amount })
    },
  }
}
