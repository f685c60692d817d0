import { sha256 } from '../../../platform/crypto/sha256.ts'
import { minuteMs } from '../../../platform/time.ts'
import type { Transaction } from '../../../tables.ts'
import type { Deps } from './deps.ts'
import type { LinkData, LinkPurpose } from './repository.ts'
import * as links from './repository.ts'
import { lifetimeOf, makeToken, mayHaveSeveral } from './rules.ts'

/**
 * Issues a token; voids the user's older tokens of the same purpose. It is valid until `until`, if
 * that is later than usual.
 */
export async function issueLink(
  { now, magicLinkMs }: Deps,
  trx: Transaction,
  purpose: LinkPurpose,
  user_id: string,
  data: LinkData = {},
  until?: Date | undefined,
) {
  const token = makeToken()
  const at = now()
  const ms = Math.max(lifetimeOf(purpose, magicLinkMs), (until?.getTime() ?? 0) - at.getTime())
  if (!mayHaveSeveral(purpose)) await links.useAll(trx, user_id, [purpose], at)
  await links.insert(trx, {
    token_sha256: sha256(token),
    purpose,
    user_id,
    data: JSON.stringify(data),
    created_at: at,
    expires_at: new Date(at.getTime() + ms),
    used_at: null,
  })
  return { token, valid_minutes: Math.max(1, Math.round(ms / minuteMs)) }
}
