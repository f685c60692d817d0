import { sha256 } from '../../../platform/crypto/sha256.ts'
import { currentAgent, currentNetwork } from '../../../platform/request-id.ts'
import {
  InvalidTokenError,
  isKeyScope,
  lacksSecondFactor,
  type Principal,
  scopesOfRole,
} from '../../operations/access/index.ts'
import type { Deps } from './deps.ts'
import * as keys from './repository.ts'
import * as rules from './rules.ts'

/** A key never exceeds the current rights of its owner. */
export async function verifyKey(deps: Deps, key: string): Promise<Principal> {
  const { findHolder, now, operatorsNeedCodes } = deps
  const [holder] = rules.isKey(key) ? await findHolder([sha256(key), now()]) : []
  if (!holder) throw new InvalidTokenError()
  await recordUse(deps, holder)
  const { id, user_id, epoch, role, provider, is_fresh, memberships, expires_at } = holder
  const ofRole = scopesOfRole(role)
  return {
    kind: 'api_key',
    user_id,
    epoch,
    role,
    session_id: null,
    linked_at: null,
    expires_at,
    scopes: new Set(holder.scopes.filter((scope) => ofRole.has(scope) || isKeyScope(scope))),
    memberships: new Map(Object.entries(memberships)),
    second_factor: provider && { provider, isFresh: is_fresh },
    isRecentLogin: false,
    lacksSecondFactor: operatorsNeedCodes && lacksSecondFactor(holder),
    key: { id, isLimited: holder.outlived_second_factor, scopes: new Set(holder.scopes) },
  }
}

/** Writes at most once a minute. */
async function recordUse(
  { now, db }: Deps,
  { id, last_used_at }: { id: string; last_used_at: Date | null },
) {
  const at = now()
  const before = new Date(at.getTime() - rules.lastUsePrecisionMs)
  if (last_used_at && last_used_at > before) return
  const use = {
    last_used_network: currentNetwork() || null,
    last_used_agent: rules.shownAgent(currentAgent()),
  }
  await keys.recordUse(db, id, use, at, before)
}
