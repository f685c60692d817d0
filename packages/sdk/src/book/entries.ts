import { checkAddress, type EmojiId, isEmojiId } from '@emojid/core'
import type { EmojidError } from '../errors.ts'
import { isObject } from '../http/read-answer.ts'
import { type Currency, nameOf, type Payment, readCurrency } from '../payment.ts'

/** An address, and the id that it was read from. */
export type Entry = {
  id: EmojiId
  currency: Currency
  address: string
  /** The key that held the id then. */
  owner: string | null
  /** The version of its records then; it is not signed. */
  version?: number
  nickname?: string
  remembered_at: string
}

/**
 * The status of an entry. Only `unchanged` may be paid without a person's decision. After `changed`
 * and `new_owner`, `accept` stores the new address.
 */
export type Check = { entry: Entry } & (
  | { status: 'unchanged'; payment: Payment }
  /** The same owner has another address. */
  | { status: 'changed'; payment: Payment; owner: string | null; version: number }
  /** The id has a new owner; without `payment`, the owner has no such address. */
  | { status: 'new_owner'; payment?: Payment; owner: string | null; version: number }
  /** The id has no such address any more, or is no longer registered. */
  | { status: 'removed'; isRegistered: boolean }
  /**
   * Unknown: no connection, a refusal, an invalid response, one older than the entry, or an invalid
   * proof.
   */
  | { status: 'unchecked'; error: EmojidError }
)

/** One entry per id and currency. */
export const nameOfEntry = ({ id, currency }: Pick<Entry, 'id' | 'currency'>): string =>
  `${id} ${nameOf(currency)}`

/** Compares addresses: some chains allow two spellings. */
export function isAddressOf({ address, currency }: Entry, text: string): boolean {
  if (typeof text !== 'string') return false
  if (text === address) return true
  const hex = /^0x[0-9a-f]+$/i
  if (hex.test(text) && hex.test(address)) return text.toLowerCase() === address.toLowerCase()
  try {
    const chain = 'token' in currency ? currency.network : currency.ticker
    return checkAddress(chain, text).address === address
  } catch {
    return false
  }
}

/** Parses stored text, which other programs may write; undefined if it is no entry. */
export function readEntry(text: string | undefined): Entry | undefined {
  try {
    const entry: unknown = JSON.parse(text ?? '')
    if (!isObject(entry)) return undefined
    const { id, currency, address, owner, version, nickname, remembered_at } = entry
    if (typeof id !== 'string' || !isEmojiId(id) || typeof address !== 'string') return undefined
    if (owner !== null && typeof owner !== 'string') return undefined
    if (typeof remembered_at !== 'string' || !isObject(currency)) return undefined
    return {
      id,
      address,
      owner,
      remembered_at,
      currency: readCurrency(currency as Currency),
      ...(typeof version === 'number' ? { version } : {}),
      ...(typeof nickname === 'string' ? { nickname } : {}),
    }
  } catch {
    return undefined
  }
}
