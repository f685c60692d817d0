import type { Transaction } from '../../../tables.ts'
import type { User } from '../../identity/accounts/accounts.ts'
import { isSettled } from '../../identity/keys/keys.ts'
import type { OwnedId } from '../emoji-ids/emoji-ids.ts'
import type { Transfer } from './repository.ts'
import * as rules from './rules.ts'
import type { Deps } from './transfers.ts'

/** `recipient` is undefined for an organization. */
export type Handover = {
  transfer: Transfer
  owned: OwnedId
  recipient: User | undefined
}

/**
 * Changes owner, key and records in one transaction. The sender is the author of records that move
 * along.
 */
export async function moveId(
  deps: Deps,
  trx: Transaction,
  { transfer, owned }: Handover,
  giver_id: string,
): Promise<void> {
  const { now, emojiIds, records } = deps
  const { clear_on_transfer: isCleared, recipient_id: user_id, organization_id } = transfer
  const pubkey = await pickKey(deps, trx, transfer)
  const to = { user_id, organization_id, pubkey, isCleared }
  const blocked_until = rules.blockedUntil(now())
  const movedId = await emojiIds.changeOwner(trx, owned, { ...to, blocked_until })
  await records.transferRecords(trx, { owned: movedId, former: owned }, giver_id, isCleared)
}

/** The addressed key if the recipient still has it, else the recipient's own key. */
async function pickKey(
  { keys, emojiIds }: Deps,
  trx: Transaction,
  { pubkey, recipient_id, organization_id }: Transfer,
): Promise<string> {
  const key = pubkey === null ? undefined : await keys.findKey(trx, pubkey)
  if (recipient_id === null) {
    const isTheirs = key?.organization_id === organization_id && isSettled(key)
    return isTheirs ? key.pubkey : keys.loadKeyOfOrganization(trx, organization_id ?? '')
  }
  const isTheirs = key?.user_id === recipient_id && isSettled(key)
  return isTheirs ? key.pubkey : emojiIds.resolveKeyForBuyer(trx, recipient_id, null)
}
