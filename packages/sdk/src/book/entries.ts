import { checkAddress, type EmojiId, isEmojiId } from '@emojid/core'
import type { EmojidError } from '../errors.ts'
import { isObject } from '../http/read-answer.ts'
import { type Currency, nameOf, type Payment, readCurrency } from '../payment.ts'

/** An address, and the id that it was read from. */
export type Entry = {
  id: EmojiId
  currency: Currency
  address: string
  /** The key that had the id then. */
  owner: string | null
  /** The version of its records then; nobody signed it. */
  version?: number
  nickname?: string
  remembered_at: string
}

/**
 * What became of an entry. Only `unchanged` says where to pay; whatever else it is, a person decides.
 * After `changed` and `new_owner`, `accept` makes the new address the remembered one.
 */
export type Check = { entry: Entry } & (
  | { status: 'unchanged'; payment: Payment }
  /** The same owner gives another address. */
  | { status: 'changed'; payment: Payment; owner: string | null; version: number }
  /** Somebody else has the id now; without `payment` they have no such address. */
  | { status: 'new_owner'; payment?: Payment; owner: string | null; version: number }
  /** The id has no such address any more, or nobody has the id any more. */
  | { status: 'removed'; isRegistered: boolean }
  /** Nobody knows: no connection, a refusal, an answer that cannot be right or is older than the entry, or a wrong proof. */
  | { status: 'unchecked'; error: EmojidError }
)

/** One entry per id and currency. */
export const nameOfEntry = ({ id, currency }: Pick<Entry, 'id' | 'currency'>): string =>
  `${id} ${nameOf(currency)}`

/** Whether somebody means this entry: chains have addresses that may be spelled in two ways. */
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

/** Whatever stands in the storage, which others may write to; undefined when it is no entry. */
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
