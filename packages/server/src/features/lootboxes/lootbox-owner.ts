import { assertMailAddress, normaliseMailAddress } from '../../platform/mail/address.ts'
import type { Transaction } from '../../tables.ts'
import type { Deps } from './lootboxes.ts'
import type { Box } from './repository.ts'
import * as rules from './rules.ts'

/** Resolves the owner: the account that confirmed the email address, or else the address itself. */
export async function resolveOwner({ accounts }: Deps, trx: Transaction, input: rules.OwnerInput) {
  const { owner_id, owner_email } = input
  if (owner_email !== undefined) assertMailAddress(owner_email, 'owner_email')
  const named = owner_email ? await accounts.findByEmail(owner_email, trx) : undefined
  const id = owner_id ?? (named?.email_verified_at ? named.id : undefined)
  if (id === undefined) {
    return owner_email === undefined
      ? undefined
      : { owner_id: null, owner_email: normaliseMailAddress(owner_email) }
  }
  const user = await accounts.findAccountToChange(trx, id)
  if (!user || user.deactivated_at) {
    const message = 'This user does not exist or is deactivated.'
    throw rules.unknownOwner(message, rules.fieldOf(input))
  }
  return { owner_id: user.id, owner_email: null }
}

/** Emails the owner of a box, unless the owner stays the same. */
export async function mailOwner(
  deps: Deps,
  trx: Transaction,
  box: Box,
  before?: Box,
): Promise<void> {
  const { webUrl, notifications } = deps
  const to = await findAddress(deps, trx, box)
  const former = before && (await findAddress(deps, trx, before))
  if (!to) return
  if (former && normaliseMailAddress(to) === normaliseMailAddress(former)) return
  const page = '/account/lootboxes'
  const letter = rules.lootboxGiven(box.yats.length, `${webUrl}${page}`)
  const reader = { to, user_id: box.owner_id }
  await notifications.queueMail(trx, { ...reader, kind: 'lootbox_given', page, letter })
}

const findAddress = async ({ accounts }: Deps, trx: Transaction, { owner_id, owner_email }: Box) =>
  owner_id ? (await accounts.findAccount(owner_id, trx))?.email : owner_email
