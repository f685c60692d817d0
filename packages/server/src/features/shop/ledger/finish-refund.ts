import type { Sealer } from '../../../platform/crypto/seal.ts'
import { transact } from '../../../platform/database/database.ts'
import { withoutJob } from '../../../platform/jobs/jobs.ts'
import type { Refund } from '../../../platform/payments/gateway.ts'
import type { Database, Transaction } from '../../../tables.ts'
import { queueRefund, refundTask } from './book-refund.ts'
import type { Deps } from './ledger.ts'
import * as entries from './repository.ts'

const requeuedPerRun = 1_000

const claimsPerRun = 100

/** Returns false if it was already done. */
export async function finishRefund(
  { sealer, now }: Deps,
  trx: Transaction,
  id: string,
  transaction: Pick<Refund, 'reference' | 'claim_url'>,
) {
  const { claim_url } = transaction
  const sealed_claim = claim_url && sealer.seal(claim_url, sealContext(id))
  // The reference of a claim opens its page: a person who knows it can take the money.
  const reference = claim_url === null ? transaction.reference : null
  const paid_out_at = claim_url === null ? now() : null
  const change = { reference, sealed_claim, done_at: now(), paid_out_at }
  const isDone = await entries.moveRefund(trx, { id, from: 'queued', to: 'done' }, change)
  // A refund that was left to operators may turn out to be sent.
  return isDone || entries.moveRefund(trx, { id, from: 'by_hand', to: 'done' }, change)
}

/** For a refund that an operator paid. */
export function finishByHand({ now }: Deps, trx: Transaction, id: string, reference: string) {
  return entries.moveRefund(
    trx,
    { id, from: 'by_hand', to: 'done' },
    {
      reference,
      sealed_claim: null,
      done_at: now(),
      paid_out_at: now(),
      is_given_by_hand: true,
    },
  )
}

/** Returns one batch, with the links of the claims. */
export async function findUnclaimedRefunds({ db, sealer }: Deps) {
  const rows = await entries.findUnclaimed(db, claimsPerRun)
  return rows.map(({ id, sealed_claim }) => ({
    id,
    claim_url: sealed_claim && sealer.open(sealed_claim, sealContext(id)).toString(),
  }))
}

export function recordClaim({ db, now }: Deps, id: string, isPaidOut: boolean) {
  return entries.noteAsked(db, id, { claim_asked_at: now(), paid_out_at: isPaidOut ? now() : null })
}

/** Queues refunds again that lost their job. */
export async function requeueLostRefunds({ db }: Pick<Deps, 'db'>): Promise<void> {
  const queued = (await entries.findQueued(db, requeuedPerRun)).map(({ id }) => id)
  for (const id of await withoutJob(db, refundTask, queued)) {
    await transact(db, (trx) => queueRefund(trx, id))
  }
}

/** Rewraps every claim link with the current master key; returns how many. */
export const rewrapClaims = (db: Database, sealer: Sealer): Promise<number> =>
  entries.rewrap(db, (id, sealedText) => sealer.rewrap(sealedText, sealContext(id)))

/** Binds a sealed text to its row. */
export const sealContext = (id: string): string => `refund claim ${id}`
