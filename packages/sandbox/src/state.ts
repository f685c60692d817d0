import type Stripe from 'stripe'
import type { StoredAnswer, StoredEvent, StoredIntent, StoredSession } from './card/objects.ts'
import type {
  Message,
  StoredClaim,
  StoredInvoice,
  StoredRate,
  StoreMethod,
  Webhook,
} from './crypto/objects.ts'
import { type Entry, openJournal } from './journal.ts'
import type { Delivery } from './webhooks/courier.ts'
import type { WebhookSettings } from './webhooks/settings.ts'

/** All stored objects, by kind. */
type StoredObjects = {
  answer: StoredAnswer
  charge: Stripe.Charge
  claim: StoredClaim
  customer: Stripe.Customer
  delivery: Delivery
  dispute: Stripe.Dispute
  event: StoredEvent
  intent: StoredIntent
  invoice: StoredInvoice
  message: Message
  payment_method: Stripe.PaymentMethod
  rate: StoredRate
  refund: Stripe.Refund
  session: StoredSession
  settings: WebhookSettings
  store_method: StoreMethod
  webhook: Webhook
}

type Kind = keyof StoredObjects

export type State = {
  get<K extends Kind>(kind: K, id: string): StoredObjects[K] | undefined
  /** Oldest first. */
  all<K extends Kind>(kind: K): StoredObjects[K][]
  /** Writes or replaces an object; only inside `change`. */
  put<K extends Kind>(kind: K, value: StoredObjects[K]): void
  remove(kind: Kind, id: string): void
  /** Stores all writes inside atomically. */
  change<Result>(work: () => Result): Result
  /** Compacts the file. Nothing may change before. */
  begin(): void
  close(): void
}

/** The state of the sandbox: in memory, and in a file for the next start. */
export function openState(dataDir: string): State {
  const journal = openJournal(dataDir)
  const objects = new Map<string, Map<string, unknown>>()
  let open: { written: Entry[]; before: Entry[] } | undefined

  const of = (kind: string): Map<string, unknown> => {
    const group = objects.get(kind) ?? new Map<string, unknown>()
    objects.set(kind, group)
    return group
  }
  const apply = ([kind, id, value]: Entry): void => {
    if (value === null) of(kind).delete(id)
    else of(kind).set(id, value)
  }
  const write = (entry: Entry): void => {
    if (!open) throw new Error('The state can only be changed inside `change`.')
    const [kind, id] = entry
    open.before.push([kind, id, of(kind).get(id) ?? null])
    open.written.push(entry)
    apply(entry)
  }
  journal.entries.splice(0).forEach(apply)

  return {
    get: <K extends Kind>(kind: K, id: string) => of(kind).get(id) as StoredObjects[K] | undefined,
    all: <K extends Kind>(kind: K) => [...of(kind).values()] as StoredObjects[K][],
    put: (kind, value) => write([kind, value.id, value]),
    remove: (kind, id) => write([kind, id, null]),
    change(work) {
      if (open) return work()
      const changes: { written: Entry[]; before: Entry[] } = { written: [], before: [] }
      open = changes
      try {
        const result = work()
        if (changes.written.length > 0) journal.append(changes.written)
        return result
      } catch (error) {
        changes.before.reverse().forEach(apply)
        throw error
      } finally {
        open = undefined
      }
    },
    begin() {
      journal.begin(
        [...objects].flatMap(([kind, byId]) =>
          [...byId].map(([id, value]): Entry => [kind, id, value]),
        ),
      )
    },
    close: () => journal.close(),
  }
}
