import type { CardGateway } from '../../platform/payments/gateway.ts'
import type { Database } from '../../tables.ts'
import type { Principal } from '../access/index.ts'
import * as attempts from './repository.ts'
import { UnknownPaymentMethodError } from './rules.ts'

/** Buyers as the provider of cards knows them, and what they let it keep. */
export function createCustomers(db: Database, cards: CardGateway | undefined) {
  return {
    async find(user_id: string): Promise<string | undefined> {
      if (!cards) return undefined
      const known = await attempts.findCustomer(db, user_id)
      if (known) return known.customer
      await attempts.insertCustomer(db, user_id, await cards.createCustomer(user_id))
      return (await attempts.findCustomer(db, user_id))?.customer
    },

    async savedMethods({ user_id }: Principal) {
      const known = await attempts.findCustomer(db, user_id)
      return known && cards ? cards.savedCards(known.customer) : []
    },

    async forgetMethod({ user_id }: Principal, id: string) {
      const known = await attempts.findCustomer(db, user_id)
      const forgotten = known && (await cards?.forgetCard(known.customer, id))
      if (!forgotten) throw new UnknownPaymentMethodError()
      return forgotten
    },
  }
}
