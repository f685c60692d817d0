import type { Transaction } from '../../../tables.ts'
import type { Principal } from '../../operations/access/access.ts'
import type { LinkPurpose } from '../links/links.ts'
import type { Deps, Revocation } from './accounts.ts'
import { accessLinks } from './change-password.ts'
import * as users from './repository.ts'

/** Ends every session and access token of a user, and voids the links that would open one. */
export async function endSessions(deps: Deps, trx: Transaction, user_id: string): Promise<void> {
  await users.raiseEpoch(trx, user_id)
  await voidStartedSignIns(deps, trx, user_id)
}

/**
 * Voids the links of sign-ins that are past their proof: an opened email, or another session. Returns
 * whether there were any.
 */
export async function voidStartedSignIns(
  { links }: Deps,
  trx: Transaction,
  user_id: string,
): Promise<boolean> {
  return links.voidLinks(trx, user_id, ['exchange', 'first_password', 'hand_over'])
}

/**
 * Withdraws a change of the email address that another session of the caller requested. Returns
 * whether there was one.
 */
export async function withdrawForeignEmailChange(
  { links }: Deps,
  trx: Transaction,
  { user_id, session_id }: Principal,
): Promise<boolean> {
  const link = await links.findOpenLink('change_email', user_id, trx)
  const requested_by = link?.data.session_id
  if (requested_by === undefined || requested_by === session_id) return false
  return links.voidLinks(trx, user_id, ['change_email'])
}

/** Uses a link and locks its user; undefined if the link is not valid. */
export async function takeLink(
  { links }: Deps,
  trx: Transaction,
  purpose: LinkPurpose,
  token: string,
) {
  // Lock order: the user, then the link, as everywhere that voids links of a user.
  const unusedLink = await links.peekLink(purpose, token, trx)
  const user = unusedLink && (await users.findToChange(trx, unusedLink.user_id))
  if (!user || user.deactivated_at) return undefined
  const link = await links.useLink(trx, purpose, token)
  return link && { link, user }
}

/**
 * Ends sessions, API keys, application grants, emailed links and open transfers. The password and
 * the second factor stay.
 */
export async function revokeAccess(
  { links, keys, whenRevoked }: Deps,
  trx: Transaction,
  user_id: string,
  revocation: Revocation,
): Promise<void> {
  await users.raiseEpoch(trx, user_id)
  await links.voidLinks(trx, user_id, [...accessLinks, 'confirm_email'])
  await keys.removeForeignKeys(trx, user_id, revocation.since ?? undefined)
  for (const action of whenRevoked) await action(trx, user_id, revocation)
}

/**
 * Removes all access that was set up before the owner of the mailbox signed in: a stranger may have
 * set it up. The calling function decides about the password.
 */
export async function disownAccount(
  { links, keys, whenDisowned }: Deps,
  trx: Transaction,
  user_id: string,
): Promise<void> {
  await users.raiseEpoch(trx, user_id)
  await links.voidLinks(trx, user_id, accessLinks)
  await keys.removeForeignKeys(trx, user_id)
  for (const action of whenDisowned) await action(trx, user_id)
}

/** Runs the actions that follow a lower role. */
export async function demoteAccount({ whenDemoted }: Deps, trx: Transaction, user_id: string) {
  for (const action of whenDemoted) await action(trx, user_id)
}
