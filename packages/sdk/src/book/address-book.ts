import type { EmojiId } from '@emojid/core'
import type { Client } from '../client.ts'
import type { Proof } from '../directory/answers.ts'
import {
  EmojidError,
  InvalidRequestError,
  NoAddressError,
  UnexpectedAnswerError,
  UnregisteredError,
} from '../errors.ts'
import { nameOf, type Payment, type PaymentWish, paymentFrom, readWish } from '../payment.ts'
import { type Check, type Entry, isAddressOf, nameOfEntry, readEntry } from './entries.ts'
import { type BookStorage, memoryStorage } from './storage.ts'

/** The existing entry differs. Show `check(entry)` to a person, who may `accept` it. */
export class AlreadyRememberedError extends EmojidError {
  override readonly name = 'AlreadyRememberedError'
  readonly code = 'already_remembered'
  readonly entry: Entry

  constructor(entry: Entry) {
    const conflict = `${entry.id} is saved with another address or owner for ${nameOf(entry.currency)}`
    super(`${conflict}. Check that entry, and let a person decide.`)
    this.entry = entry
  }
}

type Options = {
  client: Pick<Client, 'proof'>
  storage?: BookStorage
  now?: () => Date
}

type CheckOptions = { amount?: string; label?: string; message?: string; signal?: AbortSignal }

export type AddressBook = {
  /**
   * Stores the address and owner of a payment; looks them up again, and throws if they changed
   * meanwhile. Throws `AlreadyRememberedError` for an entry with another address or owner, which
   * stays unchanged.
   */
  remember(payment: Payment, options?: { nickname?: string; signal?: AbortSignal }): Promise<Entry>
  /** The ids that an address came from; empty for an unknown address. */
  find(address: string): Promise<Entry[]>
  entries(): Promise<Entry[]>
  /**
   * Looks the entry up again, each time. Throws only for an invalid amount or an aborted signal.
   */
  check(entry: Entry, options?: CheckOptions): Promise<Check>
  /** Stores the new address, after a person agreed. */
  accept(check: Check): Promise<Entry>
  forget(entry: Entry): Promise<void>
}

export function createAddressBook(options: Options): AddressBook {
  const { client, storage = memoryStorage(), now = () => new Date() } = options

  const save = async (entry: Entry): Promise<Entry> => {
    await storage.set(nameOfEntry(entry), JSON.stringify(entry))
    return entry
  }
  const entries = async (): Promise<Entry[]> => {
    const texts = await Promise.all((await storage.names()).map((name) => storage.get(name)))
    return texts.flatMap((text) => readEntry(text) ?? [])
  }

  return {
    entries,
    find: async (address) => (await entries()).filter((entry) => isAddressOf(entry, address)),

    async remember({ id, currency, address }, { nickname, signal } = {}) {
      const proof = await client.proof(id, { ...(signal ? { signal } : {}) })
      if (paymentIn(proof, currency).address !== address) throw changedMeanwhile(id)
      const { pubkey: owner, version } = proof
      const next = { id: id as EmojiId, currency, address, owner, version }
      const knownEntry = readEntry(await storage.get(nameOfEntry(next)))
      if (knownEntry && (knownEntry.address !== address || knownEntry.owner !== owner)) {
        throw new AlreadyRememberedError(knownEntry)
      }
      const name = nickname ?? knownEntry?.nickname
      return save({
        ...next,
        ...(name === undefined ? {} : { nickname: name }),
        remembered_at: now().toISOString(),
      })
    },

    async check(entry, { signal, ...wish } = {}) {
      try {
        return { entry, ...(await compare(client, entry, wish, signal)) }
      } catch (error) {
        if (error instanceof UnregisteredError) {
          return { entry, status: 'removed', isRegistered: false }
        }
        if (error instanceof InvalidRequestError || !(error instanceof EmojidError)) throw error
        return { entry, status: 'unchecked', error }
      }
    },

    async accept(check) {
      if (!('payment' in check) || !check.payment) throw nothingToAccept(check)
      const { address } = check.payment
      const ownership = 'owner' in check ? { owner: check.owner, version: check.version } : {}
      return save({ ...check.entry, ...ownership, address, remembered_at: now().toISOString() })
    },

    forget: async (entry) => storage.delete(nameOfEntry(entry)),
  }
}

type Outcome<Kind = Check> = Kind extends Check ? Omit<Kind, 'entry'> : never

async function compare(
  client: Pick<Client, 'proof'>,
  entry: Entry,
  wish: Omit<CheckOptions, 'signal'>,
  signal: AbortSignal | undefined,
): Promise<Outcome> {
  const currency = readWish({ ...entry.currency, ...wish })
  const proof = await client.proof(entry.id, { ...(signal ? { signal } : {}) })
  const { pubkey: owner, version } = proof
  if (entry.version !== undefined && version < entry.version) throw older(entry.id)
  const payment = orNothing(() => paymentIn(proof, currency))
  if (owner !== entry.owner) {
    return { status: 'new_owner', owner, version, ...(payment ? { payment } : {}) }
  }
  if (!payment) return { status: 'removed', isRegistered: true }
  if (payment.address !== entry.address) return { status: 'changed', payment, owner, version }
  return { status: 'unchanged', payment }
}

const paymentIn = ({ id, records, proven_by }: Proof, wish: PaymentWish): Payment =>
  paymentFrom(id, records, wish, { isProven: proven_by !== undefined })

function orNothing(choose: () => Payment): Payment | undefined {
  try {
    return choose()
  } catch (error) {
    if (error instanceof NoAddressError) return undefined
    throw error
  }
}

const older = (id: string) =>
  new UnexpectedAnswerError(
    `The response about ${id} is older than your saved entry. It may be a replay of an old response.`,
  )

const changedMeanwhile = (id: string) =>
  new UnexpectedAnswerError(`The address of ${id} just changed. Look it up again.`)

const nothingToAccept = ({ status }: Check) =>
  new InvalidRequestError(`There is no address to accept: the entry is ${status}.`)
