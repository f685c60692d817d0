import { randomUUID } from 'node:crypto'
import type { Codes } from '../../src/features/shop/codes/codes.ts'
import type { Person } from './people.ts'
import type { TestService } from './service.ts'

export type CodeView = {
  id: string
  name: string
  redemption_code: string | null
  discount_as_percentage: number | null
  discount_in_cents: number | null
  end_date: string | null
  max_uses: number | null
  pattern: object | null
  organization_id: string | null
  pubkeys: string[]
  total_uses: number
  available: number | null
  deleted_at: string | null
}
type Cart = Parameters<Codes['reserveCode']>[2]
type CodeReservation = Parameters<Codes['reserveCode']>[1]

/** A unique code text. */
export const newText = (): string => `Code-${randomUUID().slice(0, 13)}`

export const redemptionCode = (terms: object = {}) => ({
  name: 'Summer sale',
  code_type: 'Discount',
  activator: 'RedemptionCode',
  redemption_code: newText(),
  discount_as_percentage: 20,
  ...terms,
})
export const signedCode = (terms: object = {}) => ({
  name: 'Surprise',
  code_type: 'RandomYat',
  activator: 'SecretKey',
  discount_as_percentage: 100,
  ...terms,
})

/** A code made over HTTP. */
export async function makeCode(by: Pick<Person, 'post'>, body: object): Promise<CodeView> {
  const answer = await by.post('/api/admin/codes', body)
  if (answer.status !== 200) throw new Error(`Could not make a code: ${answer.body}`)
  return answer.json<CodeView>()
}

/** A cart with ids at 1,000 cents each. */
export const cartOf = (user_id: string, more: Partial<Cart> = {}, ids = ['🦀🌊🐙']): Cart => ({
  order_id: randomUUID(),
  user_id,
  organization_id: null,
  items: ids.map((emoji_id) => ({
    id: randomUUID(),
    emoji_id,
    unit_price_in_cents: 1_000,
    client_fee_in_cents: 0,
  })),
  ...more,
})

/** Codes as orders use them, each call in its own transaction. */
export const ordersOf = ({ db, codes }: TestService) => ({
  reserve: (code: CodeReservation, cart: Cart) =>
    db.transaction().execute((trx) => codes.reserveCode(trx, code, cart)),
  release: (order_id: string) =>
    db.transaction().execute((trx) => codes.releaseCodes(trx, order_id)),
  count: (order_id: string) => db.transaction().execute((trx) => codes.countCodes(trx, order_id)),
})

/** The error of a refused request. */
export const refusal = (work: Promise<unknown>) =>
  work.then(
    () => 'done' as const,
    ({ kind, code, message, details }) => ({ kind, code, message, details }),
  )
