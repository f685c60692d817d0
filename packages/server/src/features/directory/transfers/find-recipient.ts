import { assertMailAddress, type MailAddress } from '../../../platform/mail/address.ts'
import type { Transaction } from '../../../tables.ts'
import { emptyAccount, TakenError, type User } from '../../identity/accounts/accounts.ts'
import { isSettled, readPubkey } from '../../identity/keys/keys.ts'
import type { Principal } from '../../operations/access/access.ts'
import * as rules from './rules.ts'
import type { Deps } from './transfers.ts'

/** The new owner of an id: a user, or an organization whose key is addressed. */
export type Recipient =
  | { user: User; isNew: boolean; organization_id: null }
  | { user: null; isNew: false; organization_id: string }

/**
 * Finds the recipient by email address or key; creates an account for an unknown email address.
 */
export async function findRecipient(
  deps: Deps,
  trx: Transaction,
  caller: Principal,
  { email, pubkey }: ReturnType<typeof rules.readAddressee>,
): Promise<Recipient> {
  const { accounts, keys } = deps
  if (email !== null) {
    assertMailAddress(email)
    // Also before known addresses: without budget every address is refused alike.
    accounts.takenByAccount.assertLeft(caller.user_id)
    const user = await accounts.findByEmail(email, trx)
    return user ? recipientOf(user) : createRecipient(deps, trx, caller, email)
  }
  const key = await keys.findKey(trx, readPubkey(pubkey ?? ''))
  if (!key || !isSettled(key)) throw rules.unknownKey()
  const { user_id, organization_id } = key
  if (organization_id) return { user: null, isNew: false, organization_id }
  const user = user_id && (await accounts.findAccount(user_id, trx))
  if (!user) throw rules.unknownKey()
  return recipientOf(user)
}

const recipientOf = (user: User): Recipient => ({ user, isNew: false, organization_id: null })

async function createRecipient(
  { accounts }: Deps,
  trx: Transaction,
  caller: Principal,
  email: MailAddress,
): Promise<Recipient> {
  try {
    const user = await accounts.createAccount(trx, { ...emptyAccount, email }, null, caller)
    return { user, isNew: true, organization_id: null }
  } catch (error) {
    if (!(error instanceof TakenError)) throw error
    // Another request created the account at the same moment.
    const user = await accounts.findByEmail(email, trx)
    if (user) return recipientOf(user)
    // An account left the address and can still return to it.
    accounts.takenByAccount.spend(caller.user_id, 1)
    throw rules.reservedEmail()
  }
}
