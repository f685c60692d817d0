import { assertMailAddress, type MailAddress } from '../../../platform/mail/address.ts'
import type { Transaction } from '../../../tables.ts'
import { emptyAccount, TakenError } from '../../identity/accounts/index.ts'
import { isSettled, readPubkey } from '../../identity/keys/index.ts'
import type { Principal } from '../../operations/access/index.ts'
import type { Deps } from './deps.ts'
import * as rules from './rules.ts'

/** Finds the user by email address or key; creates an account for an unknown email address. */
export async function findRecipient(
  deps: Deps,
  trx: Transaction,
  caller: Principal,
  { email, pubkey }: ReturnType<typeof rules.readAddressee>,
) {
  const { accounts, keys } = deps
  if (email !== null) {
    assertMailAddress(email)
    const user = await accounts.findByEmail(email, trx)
    return user ? { user, isNew: false } : createRecipient(deps, trx, caller, email)
  }
  const key = await keys.findKey(trx, readPubkey(pubkey ?? ''))
  const user = key?.user_id && isSettled(key) && (await accounts.findAccount(key.user_id, trx))
  if (!user) throw rules.unknownKey()
  return { user, isNew: false }
}

async function createRecipient(
  { accounts }: Deps,
  trx: Transaction,
  caller: Principal,
  email: MailAddress,
) {
  try {
    const user = await accounts.createAccount(trx, { ...emptyAccount, email }, null, caller)
    return { user, isNew: true }
  } catch (error) {
    // Another request created the account at the same moment.
    const user = error instanceof TakenError && (await accounts.findByEmail(email, trx))
    if (user) return { user, isNew: false }
    throw error
  }
}
