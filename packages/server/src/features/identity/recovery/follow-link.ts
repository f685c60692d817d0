import type { Transaction } from '../../../tables.ts'
import type { LinkPurpose } from '../links/index.ts'
import type { Deps } from './deps.ts'
import * as rules from './rules.ts'

/** Returns the user of a link, if the account still has the address that it was emailed to. */
export async function followLink(
  { accounts }: Deps,
  trx: Transaction,
  purpose: LinkPurpose,
  token: string,
) {
  const followed = await accounts.followLink(trx, purpose, token)
  const isSame = followed?.link.data.email?.toLowerCase() === followed?.user.email?.toLowerCase()
  if (!followed?.user.email || !isSame || followed.user.two_factor_auth.length === 0) {
    throw rules.expiredLink()
  }
  return { ...followed.user, email: followed.user.email }
}

export async function previewLink({ links, accounts }: Deps, purpose: LinkPurpose, token: string) {
  const link = await links.peekLink(purpose, token)
  const user = link && (await accounts.findAccount(link.user_id))
  if (!user || user.deactivated_at || user.two_factor_auth.length === 0) {
    throw rules.expiredLink()
  }
  return user
}
