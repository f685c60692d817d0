import type { LinkPurpose } from '../links/links.ts'
import { findFormerReader } from './disown-account.ts'
import type { Deps } from './mailbox.ts'
import * as rules from './rules.ts'

/** Reads a link without using it. */
export async function previewLink({ links, accounts }: Deps, purpose: LinkPurpose, token: string) {
  const link = await links.peekLink(purpose, token)
  const user = link && (await accounts.findAccount(link.user_id))
  if (!link || !user || user.deactivated_at) throw rules.expiredLink()
  const hasSecondFactor = user.two_factor_auth.length > 0
  const isFirstAddress = rules.hasNoMailbox(user)
  const email = link.data.email ?? user.email
  return { user_id: user.id, email, former: user.email, hasSecondFactor, isFirstAddress }
}

/** Whether this browser requested the sign-in link. */
export async function isRequestedBy(
  { links }: Deps,
  token: string,
  browser: string,
): Promise<boolean> {
  const link = await links.peekLink('magic_link', token)
  // A concurrent request may have used it since the preview.
  if (!link) throw rules.expiredLink()
  return link.data.browser === browser
}

export async function previewNotice(deps: Deps, token: string) {
  const { links, accounts } = deps
  const link = await links.peekLink('not_me', token)
  const user = link && (await accounts.findAccount(link.user_id))
  if (!link?.data.event || !user || user.deactivated_at) throw rules.expiredLink()
  const former = await findFormerReader(deps, link, user)
  return {
    event: link.data.event,
    at: link.created_at,
    hasPassword: user.password_hash !== null,
    /** The address that the account gets back, and since when it has another one. */
    restores: former && { email: former.email, since: former.since },
  }
}
