import { randomBytes } from 'node:crypto'
import {
  type EmojiId,
  EmojiIdError,
  emojisOf,
  fitsPattern,
  type IdPattern,
  parseEmojiId,
  randomFitting,
} from '@emojid/core'
import { duplicate, inField, refusal, refusalIn, ServiceError } from '../../../platform/errors.ts'
import type { OptionalReasonBody } from '../../../platform/http/api/schemas.ts'
import type { Code } from './repository.ts'
import type { CodeChange, NewCode } from './schema.ts'

/** A code with its text, which the database has only sealed. */
type OpenCode = Code & { redemption_code: string | null }

/** The terms of a code, without its dates. */
export type Terms = Omit<
  OpenCode,
  'id' | 'created_at' | 'updated_at' | 'deleted_at' | 'searchable' | 'code_hmac' | 'sealed_code'
>

/** A text for a new code: 80 bits, so that it tells nothing about other texts. */
const makeText = (): string =>
  randomBytes(10)
    .toString('hex')
    .toUpperCase()
    .replace(/.{5}(?=.)/g, '$&-')

/** The audit log is readable and permanent, so it has no text of a code. */
export const auditedTerms = ({ redemption_code: _, ...terms }: Terms) => terms

const unlimited = {
  redemption_code: null,
  discount_as_percentage: null,
  discount_in_cents: null,
  start_date: null,
  end_date: null,
  max_uses: null,
  max_emojis_per_user: null,
  pattern: null,
  legacy_challenge: false,
  combinable: false,
  limited_to_fee: false,
}

export function readTerms(body: NewCode): Terms {
  const { name, code_type, activator, organization_id = null } = body
  return checkTerms({
    ...unlimited,
    ...(activator === 'RedemptionCode' ? { redemption_code: makeText() } : {}),
    name,
    code_type,
    activator,
    organization_id,
    ...readMembers(body),
  })
}

/** The optional reason stands in the audit log. */
export type PubkeyChange = { code_id: string; pubkey: string } & OptionalReasonBody
export const why = ({ reason }: OptionalReasonBody) => (reason ? { reason } : {})

/** The author of a code's terms: an operator, or a power role of the partner. */
export type Author = 'operator' | 'partner'

/** One kind of discount replaces the other. */
export function changeTerms(code: OpenCode, body: CodeChange, author: Author): Terms {
  const { id: _, created_at, updated_at, deleted_at, searchable, ...known } = code
  const { code_hmac, sealed_code, ...before } = known
  const cleared = Object.fromEntries((body.clear ?? []).map((name) => [name, null]))
  const hasDiscount = body.discount_as_percentage ?? body.discount_in_cents
  const replaced = hasDiscount ? { discount_as_percentage: null, discount_in_cents: null } : {}
  const terms = checkTerms({ ...before, ...cleared, ...replaced, ...readMembers(body) })
  terms.limited_to_fee =
    author === 'partner' || (code.limited_to_fee && hasSameDiscount(code, terms))
  return terms
}

/** An operator who changes the discount approves it; one who renames a code does not. */
const hasSameDiscount = (code: Code, terms: Terms): boolean =>
  code.discount_as_percentage === terms.discount_as_percentage &&
  code.discount_in_cents === terms.discount_in_cents

const plainMembers = [
  'redemption_code',
  'discount_as_percentage',
  'discount_in_cents',
  'max_uses',
  'max_emojis_per_user',
  'legacy_challenge',
  'combinable',
] as const

/** The members that the request contains. */
function readMembers(body: CodeChange): Partial<Terms> {
  const { name, start_date, end_date, pattern } = body
  const plain = plainMembers.filter((member) => body[member] !== undefined)
  return {
    ...Object.fromEntries(plain.map((member) => [member, body[member]])),
    ...(name === undefined ? {} : { name: name.trim() }),
    ...(start_date === undefined ? {} : { start_date: readDate('start_date', start_date) }),
    ...(end_date === undefined ? {} : { end_date: readDate('end_date', end_date) }),
    ...(pattern === undefined ? {} : { pattern: readPattern(pattern) }),
  }
}

function readDate(name: string, text: string): Date {
  const date = new Date(text)
  const year = date.getUTCFullYear()
  if (year >= 2000 && year <= 9999) return date
  throw invalidTerms(name, 'date', `${name} must be a time between the years 2000 and 9999.`)
}

function readPattern(pattern: IdPattern): IdPattern | null {
  const { min_length = 1, max_length = 6, min_score = 1, max_score = 100, emojis } = pattern
  if (min_length > max_length || min_score > max_score) throw nothingFits()
  const read = emojis && { emojis: [...new Set(emojis.map(readEmoji))] }
  const result = { ...pattern, ...read }
  return Object.keys(result).length === 0 ? null : result
}

function readEmoji(text: string): string {
  try {
    const id = parseEmojiId(text)
    if (emojisOf(id).length === 1) return id
  } catch (error) {
    if (!(error instanceof EmojiIdError)) throw error
  }
  throw invalidTerms('pattern', 'emoji', `"${text}" is not one emoji of the alphabet.`)
}

function checkTerms(terms: Terms): Terms {
  const { code_type, activator, redemption_code, start_date, end_date } = terms
  const isTyped = activator === 'RedemptionCode'
  if (isTyped !== (code_type === 'Discount')) {
    const message = 'A discount needs the activator RedemptionCode, a random id needs SecretKey.'
    throw invalidTerms('activator', 'activator', message)
  }
  if (isTyped !== (redemption_code !== null)) {
    const message = 'redemption_code is only allowed with the activator RedemptionCode.'
    throw invalidTerms('redemption_code', 'activator', message)
  }
  const discounts = [terms.discount_as_percentage, terms.discount_in_cents]
  if (discounts.filter((discount) => discount !== null).length !== 1) {
    const message = 'Send one of discount_as_percentage and discount_in_cents.'
    throw invalidTerms('discount_as_percentage', 'one_of', message)
  }
  if (start_date && end_date && start_date >= end_date) {
    throw invalidTerms('end_date', 'order', 'end_date must be after start_date.')
  }
  return terms
}

/**
 * With a price of 100 and a fee of 25, the partner gets a fifth of the total: the most a partner
 * may discount.
 */
export function assertWithinFee({ discount_as_percentage: percentage }: Terms, fee: number): void {
  if (percentage === null || percentage * (100 + fee) > 100 * fee) throw notTheirsToGive()
}

/** Combined codes give larger discounts, so only operators may allow them. */
export function assertSameCombinable(before: boolean, { combinable }: Terms): void {
  if (combinable !== before) throw notTheirsToCombine()
}

/** An order takes one code, or several combinable ones with at most one of a partner. */
export function assertCombinable(code: Code, others: readonly Code[]): void {
  const obstacle = obstacleBetween(code, others)
  if (obstacle) throw obstacle
}
export const isCombinable = (code: Code, others: readonly Code[]): boolean =>
  obstacleBetween(code, others) === undefined

function obstacleBetween(code: Code, others: readonly Code[]): ServiceError | undefined {
  if (others.length === 0) return undefined
  if (![code, ...others].every(({ combinable }) => combinable)) return notCombinable()
  const ofPartners = [code, ...others].filter(({ organization_id }) => organization_id !== null)
  return ofPartners.length > 1 ? onePartnerCode() : undefined
}

/** At least one id must match the code. */
export function assertFindable({ code_type, pattern }: Terms, draw: (below: number) => number) {
  if (code_type === 'RandomYat' && !randomFitting(pattern ?? {}, draw)) throw nothingFits()
}

type AllowedKey = { code_id: string; pubkey: string }

/** The text that a key of a code signs. It names account and code, so it is valid for no other. */
export const activationText = (user_id: string, code_id: string): string =>
  `The account ${user_id} may use the code ${code_id}.`

/** A code with its uses and its allowed keys. */
export function showCode(
  code: OpenCode,
  uses: { counted: number; all: number } = { counted: 0, all: 0 },
  allowedKeys: readonly AllowedKey[] = [],
) {
  const available = code.max_uses === null ? null : Math.max(0, code.max_uses - uses.all)
  const own = allowedKeys.filter(({ code_id }) => code_id === code.id)
  const pubkeys = own.map(({ pubkey }) => pubkey)
  const { sealed_code: _, code_hmac: __, ...shown } = code
  return { ...shown, pubkeys, total_uses: uses.counted, available }
}

/** Codes are case-insensitive and trimmed. Returns undefined if no code can have this text. */
export function readTyped(text: string): string | undefined {
  const typedText = text.trim()
  return /^[\w-]{4,64}$/.test(typedText) ? typedText : undefined
}

/** Whether the code exists and is within its dates. */
export function isInForce(code: Code | undefined, now: Date): code is Code {
  if (!code || code.deleted_at) return false
  const { start_date, end_date } = code
  return (!start_date || start_date <= now) && (!end_date || now < end_date)
}

export type Cart = {
  order_id: string
  user_id: string
  /** The partner of the order, if any. */
  organization_id: string | null
  items: readonly CartItem[]
}
export type CartItem = {
  id: string
  emoji_id: string
  unit_price_in_cents: number
  /** The partner's fee on the item. */
  client_fee_in_cents: number
}
export type Discount = { item_id: string; cents: number }

/** A cart without a partner accepts the codes of all organizations. */
export const isForOrganization = (
  { organization_id }: Code,
  cart: Pick<Cart, 'organization_id'>,
): boolean =>
  organization_id === null ||
  cart.organization_id === null ||
  cart.organization_id === organization_id

export const isSignedFor = ({ code_type, activator }: Code): boolean =>
  code_type === 'RandomYat' && activator === 'SecretKey'

export const fittingItems = ({ pattern }: Code, items: readonly CartItem[]): CartItem[] =>
  items.filter(({ emoji_id }) => fitsPattern(pattern ?? {}, emoji_id as EmojiId))

/** The discount on each item, without zero discounts. */
export function discountsOf(code: Code, items: readonly CartItem[]): Discount[] {
  const discountedItems = fittingItems(code, items)
  const prices = discountedItems.map(({ unit_price_in_cents }) => unit_price_in_cents)
  const { discount_as_percentage: percentage, discount_in_cents: cents, limited_to_fee } = code
  const shares =
    percentage === null
      ? spreadAmount(cents ?? 0, prices)
      : prices.map((price) => Math.floor((price * percentage) / 100))
  return discountedItems
    .map(({ id, client_fee_in_cents }, at) => ({
      item_id: id,
      cents: Math.min(shares[at] ?? 0, limited_to_fee ? client_fee_in_cents : Infinity),
    }))
    .filter(({ cents: share }) => share > 0)
}

/**
 * Splits an amount in proportion to the prices, no share above its price. Cents left by rounding go
 * to the shares that lost most, the first of equals first.
 */
function spreadAmount(amount: number, prices: readonly number[]): number[] {
  const sum = prices.reduce((total, price) => total + price, 0)
  if (sum === 0) return prices.map(() => 0)
  const whole = Math.min(amount, sum)
  // The product of two amounts may exceed the safe integers.
  const products = prices.map((price) => BigInt(whole) * BigInt(price))
  const shares = products.map((product) => Number(product / BigInt(sum)))
  const rest = whole - shares.reduce((total, share) => total + share, 0)
  const rests = products.map((product, at) => ({ at, rest: Number(product % BigInt(sum)) }))
  for (const { at } of rests.sort((a, b) => b.rest - a.rest || a.at - b.at).slice(0, rest)) {
    shares[at] = (shares[at] ?? 0) + 1
  }
  return shares
}

const invalidTerms = (field: string, code: string, message: string) =>
  refusal('refused', 'invalid_terms', message, inField(field, code, message))

const nothingFits = () =>
  refusalIn('pattern', 'refused', 'nothing_fits', 'No id matches the pattern.')

export const redemptionCodeTaken = () =>
  duplicate('redemption_code', 'Another code already has this text.')

export const isTaken = (error: unknown): boolean =>
  error instanceof ServiceError && error.code === 'uniqueness'

export const unknownCode = () => refusal('not_found', 'unknown_code', 'This code does not exist.')

export const wrongActivator = () =>
  refusal(
    'refused',
    'wrong_activator',
    'This code has no keys. Keys are for the activator SecretKey.',
  )

export const tooManyPubkeys = () =>
  refusal('refused', 'too_many_pubkeys', 'This code already has 100 keys. Revoke some first.')

export const unknownPubkey = () =>
  refusal('not_found', 'unknown_pubkey', 'The code does not have this key.')

/** One error for every reason: guesses reveal nothing. */
export class InvalidCodeError extends ServiceError {
  override readonly name = 'Codes.InvalidCodeError'
  constructor() {
    const message = 'This code is not valid.'
    super('refused', 'invalid_code', message, inField('code', 'invalid_code', message))
  }
}

export const isInvalidCode = (error: unknown): boolean => error instanceof InvalidCodeError

export const tooManyEmojis = (limit: number) =>
  refusalIn(
    'code',
    'refused',
    'too_many_emojis',
    limit === 1
      ? 'You can get only one id with this code.'
      : `You can get at most ${limit} ids with this code.`,
  )

export const doesNotFit = () =>
  refusalIn('code', 'refused', 'unfitting_code', 'This code is not for the ids in your cart.')

export const alreadyOnCart = () =>
  refusalIn('code', 'refused', 'repeated_code', 'This code is already on the cart.')

const notCombinable = () =>
  refusalIn(
    'code',
    'refused',
    'not_combinable',
    'This code can’t be combined with the code on the cart.',
  )

const onePartnerCode = () =>
  refusalIn(
    'code',
    'refused',
    'not_combinable',
    'An order takes one partner code, and the cart already has one.',
  )

const notTheirsToCombine = () =>
  refusalIn(
    'combinable',
    'forbidden',
    'not_yours_to_give',
    'Only operators can make a code combinable.',
  )

const notTheirsToGive = () =>
  refusalIn(
    'discount_as_percentage',
    'forbidden',
    'not_yours_to_give',
    'Partners can discount at most their fee, as a percentage of the price. Ask an operator for other codes.',
  )
