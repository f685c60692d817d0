import { sha256 } from '../../../platform/crypto/sha256.ts'
import { transact } from '../../../platform/database/database.ts'
import type { SiteSessions } from '../sessions/sessions.ts'
import type { Deps } from './deps.ts'

export type Site = 'authorization' | 'web'

const other: Record<Site, Site> = { authorization: 'web', web: 'authorization' }

const sessionsAt = ({ atApplications, webSessions }: Deps, site: Site): SiteSessions =>
  site === 'web' ? webSessions : atApplications

/** Identifies a browser at the other site, which does not see its cookie. */
export const browserHash = (name: string): string => sha256(name).toString('base64url')

/**
 * Issues a one-use code with which the other site continues the session of this browser. Returns
 * undefined for a browser that is not signed in, or still owes a code.
 */
export async function handOver(deps: Deps, from: Site, handle: string, browser: string) {
  const { db, links } = deps
  const signIn = await sessionsAt(deps, from).findSiteSession(handle)
  if (!signIn || signIn.session.second_factor_due) return undefined
  const data = { browser, session_id: signIn.session.id, site: other[from] }
  return transact(db, async (trx) => {
    const { token } = await links.issueLink(trx, 'hand_over', signIn.user.id, data)
    return token
  })
}

/**
 * Returns the handle of the new session; undefined if the code is for another browser or site. Every
 * presented code is used up, also without a browser to accept it.
 */
export async function acceptHandOver(
  deps: Deps,
  to: Site,
  token: string,
  browser: string | undefined,
  user_agent: string | undefined,
): Promise<string | undefined> {
  const { db, accounts } = deps
  return transact(db, async (trx) => {
    const followedLink = await accounts.followLink(trx, 'hand_over', token)
    const { session_id, site, browser: expected } = followedLink?.link.data ?? {}
    // The link is used up in any case, and the transaction commits that.
    const isForBrowser = browser !== undefined && expected === browserHash(browser)
    if (!followedLink || !session_id || site !== to || !isForBrowser) return undefined
    return sessionsAt(deps, to).continueFromSite(trx, session_id, user_agent)
  })
}

/** Ends the session of this browser at one of our sites, and all that belong to it. */
export const signOutAt = (deps: Deps, site: Site, handle: string): Promise<void> =>
  sessionsAt(deps, site).endSiteSession(handle)
