import type { Transaction } from '../../../tables.ts'
import type { LinkPurpose } from '../links/index.ts'
import type { Deps } from './deps.ts'
import * as rules from './rules.ts'

/** The user of a link, if the account still has the address that it was mailed to. */
export async function followLink(
  { accounts }: Deps,
  trx: Transaction,
  purpose: LinkPurpose,
  token: string,
) {
  const found = await accounts.followLink(trx, purpose, token)
  const isSame = found?.link.data.email?.toLowerCase() === found?.user.email?.toLowerCase()
  if (!found?.user.email || !isSame || found.user.two_factor_auth.length === 0) {
    throw rules.recoveryGone()
  }
  return { ...found.user, email: found.user.email }
}

export async function previewLink({ links, accounts }: Deps, purpose: LinkPurpose, token: string) {
  const link = await links.peekLink(purpose, token)
  const user = link && (await accounts.findAccount(link.user_id))
  if (!user || user.deactivated_at || user.two_factor_auth.length === 0) {
    throw rules.recoveryGone()
  }
  return user
}
