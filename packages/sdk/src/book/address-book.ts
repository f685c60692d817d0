import type { EmojiId } from '@emojid/core'
import type { Client } from '../client.ts'
import {
  EmojidError,
  InvalidRequestError,
  NoAddressError,
  UnexpectedAnswerError,
  UnregisteredError,
} from '../errors.ts'
import { type Payment, paymentFrom } from '../payment.ts'
import { type Check, type Entry, nameOfEntry, readEntry } from './entries.ts'
import { type BookStorage, memoryStorage } from './storage.ts'

type Options = {
  client: Pick<Client, 'proof'>
  storage?: BookStorage
  now?: () => Date
}

type CheckOptions = { amount?: string; label?: string; message?: string; signal?: AbortSignal }

export type AddressBook = {
  /** Keeps where a payment goes and whose id it was; asks once more, and throws if that changed meanwhile. */
  remember(payment: Payment, options?: { nickname?: string; signal?: AbortSignal }): Promise<Entry>
  /** The ids that an address came from. An address that nobody remembered came from none. */
  find(address: string): Promise<Entry[]>
  entries(): Promise<Entry[]>
  /** Asks the service anew, each time. Throws for a wrong amount or an aborted signal, and for nothing else. */
  check(entry: Entry, options?: CheckOptions): Promise<Check>
  /** After a person agreed: from now on the new address is the right one. */
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
    find: async (address) => (await entries()).filter((entry) => entry.address === address),

    async remember({ id, currency, address }, { nickname, signal } = {}) {
      const { pubkey, records } = await client.proof(id, { ...(signal ? { signal } : {}) })
      if (paymentFrom(id, records, currency).address !== address) throw changedMeanwhile(id)
      return save({
        ...{ id: id as EmojiId, currency, address, owner: pubkey },
        ...(nickname === undefined ? {} : { nickname }),
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
      const owner = 'owner' in check ? check.owner : check.entry.owner
      return save({ ...check.entry, address, owner, remembered_at: now().toISOString() })
    },

    forget: async (entry) => storage.delete(nameOfEntry(entry)),
  }
}

type Outcome<Kind = Check> = Kind extends Check ? Omit<Kind, 'entry'> : never

async function compare(
  client: Pick<Client, 'proof'>,
  { id, currency, address, owner: before }: Entry,
  wish: Omit<CheckOptions, 'signal'>,
  signal: AbortSignal | undefined,
): Promise<Outcome> {
  const { pubkey: owner, records } = await client.proof(id, { ...(signal ? { signal } : {}) })
  const payment = orNothing(() => paymentFrom(id, records, { ...currency, ...wish }))
  if (owner !== before) return { status: 'new_owner', owner, ...(payment ? { payment } : {}) }
  if (!payment) return { status: 'removed', isRegistered: true }
  if (payment.address !== address) return { status: 'changed', payment, owner }
  return { status: 'unchanged', payment }
}

function orNothing(choose: () => Payment): Payment | undefined {
  try {
    return choose()
  } catch (error) {
    if (error instanceof NoAddressError) return undefined
    throw error
  }
}

const changedMeanwhile = (id: string) =>
  new UnexpectedAnswerError(`The address of ${id} changed just now: look it up again.`)

const nothingToAccept = ({ status }: Check) =>
  new InvalidRequestError(`There is no address to accept: the entry is ${status}.`)
