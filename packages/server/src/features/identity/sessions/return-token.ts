import { sha256 } from '../../../platform/crypto/sha256.ts'
import { transact } from '../../../platform/database/database.ts'
import type { Transaction } from '../../../tables.ts'
import { isHandle } from './begin-site-session.ts'
import { beginSession } from './open-session.ts'
import { findOpenSession, lockOwner, type OpenSession } from './read-session.ts'
import * as sessions from './repository.ts'
import * as rules from './rules.ts'
import type { SiteDeps } from './sessions.ts'

type SentToken = NonNullable<Awaited<ReturnType<typeof sessions.findToken>>>['session']

/** The partner's visit that ends. */
type EndingVisit = {
  handle: string
  refresh_token: string
  organization_id: string
  /** The person confirmed the account in this browser. */
  isConfirmed: boolean
}

/**
 * The token for the partner that sent it: the same one while its session is open. The first emailed
 * link of the account revokes it, because an attacker may have registered the address. Then only the
 * session that began with that very link gets a new token, after a confirmed visit.
 */
export async function returnToken(deps: SiteDeps, visit: EndingVisit): Promise<string | undefined> {
  const { handle, refresh_token } = visit
  if (!isHandle(deps, handle) || !rules.refreshTokens.is(refresh_token)) return undefined
  return transact(deps.db, async (trx) => {
    await lockOwner(deps, trx, handle)
    // Lock order: the sent session, then the one that may continue it.
    const foundToken = (await sessions.findToken(trx, sha256(refresh_token)))?.session
    const open = await findOpenSession(deps, trx, handle)
    if (!foundToken || !open || foundToken.user_id !== open.user.id || foundToken.ended_at)
      return undefined
    if (foundToken.epoch === open.user.epoch) {
      // The use of a rotated token would revoke the partner's current one.
      return foundToken.rotated_at || foundToken.token_expires_at <= deps.now()
        ? undefined
        : refresh_token
    }
    const isClaimedHere = open.session.claimed_epoch === foundToken.epoch
    return isClaimedHere && visit.isConfirmed
      ? replaceToken(deps, trx, visit, foundToken, open)
      : undefined
  })
}

/** Derives the new token from the old one, so that a repeated return gets the same token. */
async function replaceToken(
  deps: SiteDeps,
  trx: Transaction,
  { refresh_token, organization_id }: EndingVisit,
  sentToken: SentToken,
  { user, session }: OpenSession,
) {
  const { accounts, audit, now, successionKey } = deps
  if (session.second_factor_due || sentToken.token_expires_at <= now()) return undefined
  const token = rules.refreshTokens.successorOf(`claimed ${refresh_token}`, successionKey)
  const earlier = (await sessions.findToken(trx, sha256(token)))?.session
  const current = await accounts.loadAccountToChange(trx, user.id)
  const isUnchanged = current.epoch === user.epoch && !current.deactivated_at
  if (earlier) {
    const isOpen = !earlier.ended_at && earlier.epoch === user.epoch
    // The use of a rotated token would revoke the partner's current one.
    const isCurrent = !earlier.rotated_at && earlier.token_expires_at > now()
    return isUnchanged && isOpen && isCurrent ? token : undefined
  }
  if (!isUnchanged) return undefined
  const { second_factor_at } = session
  // The age and the end of the old sign-in stay. The emailed link of the person does not count for it.
  const device = {
    user_agent: sentToken.user_agent ?? undefined,
    logged_in_at: sentToken.logged_in_at,
    ends_at: sentToken.expires_at,
    ...(second_factor_at ? { code_given_at: second_factor_at } : {}),
  }
  const newSession = await beginSession(deps, trx, 'device', current, device, token)
  const details = { session: newSession.session.id, from: sentToken.id, organization_id }
  await audit.writeEntry(trx, 'session.began', { actor_id: user.id, details })
  return token
}
