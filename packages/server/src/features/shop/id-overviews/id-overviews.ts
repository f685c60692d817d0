import { displayFormat, type EmojiId, rhythmScore, shortname } from '@emojid/core'
import { bindUseCases } from '../../../platform/bind.ts'
import { withheldPart } from '../../../platform/http/api/schemas.ts'
import type { Database } from '../../../tables.ts'
import type { AbuseReports } from '../../directory/abuse-reports/abuse-reports.ts'
import type { Catalog } from '../../directory/catalog/catalog.ts'
import type { EmojiIds } from '../../directory/emoji-ids/emoji-ids.ts'
import type { Principal } from '../../operations/access/access.ts'
import type { Audit } from '../../operations/audit/audit.ts'
import * as overviews from './repository.ts'
import { newest, stateOf } from './rules.ts'

export type Deps = {
  db: Database
  emojiIds: EmojiIds
  catalog: Catalog
  abuseReports: AbuseReports
  audit: Audit
  now: () => Date
}

export type IdOverviews = ReturnType<typeof createIdOverviews>

/** One id as operators see it: owner, state, reports, orders, transfers and history. */
export const createIdOverviews = (deps: Deps) => bindUseCases(deps, { showOverview })

/** Leaves out the parts whose scope the caller does not have. */
async function showOverview(deps: Deps, caller: Principal, emoji_id: EmojiId) {
  const { db, emojiIds, catalog, abuseReports, now } = deps
  const [ownedId, hold, reservation, listEntry, locked_keys, offers, reports] = await Promise.all([
    emojiIds.findId(emoji_id),
    overviews.findHold(db, emoji_id, now()),
    overviews.findReservation(db, emoji_id, now()),
    emojiIds.findListEntry(emoji_id),
    overviews.findLockedKeys(db, emoji_id, now()),
    catalog.makeOffers([emoji_id], caller.user_id),
    abuseReports.listReports({ emoji_id, page: 0, limit: newest, sort: 'created_at', dir: 'Desc' }),
  ])
  const isReserved = !ownedId && Boolean(reservation ?? listEntry)
  const price_in_cents = isReserved ? null : (offers.get(emoji_id)?.price ?? null)
  return {
    emoji_id,
    display_format: ownedId?.display_format ?? displayFormat(emoji_id),
    shortname: shortname(emoji_id),
    rhythm_score: rhythmScore(emoji_id),
    price_in_cents,
    state: stateOf({ owned: ownedId, hold, reservation, listed: listEntry, price_in_cents }),
    registration: ownedId ?? null,
    hold: hold ?? null,
    reservation: reservation ?? null,
    listed: listEntry ?? null,
    locked_keys,
    reports: reports.data,
    ...(await loadParts(deps, caller, emoji_id, ownedId)),
  }
}

type OwnedRow = Awaited<ReturnType<Deps['emojiIds']['findId']>>

async function loadParts(
  { db, audit }: Deps,
  { scopes }: Principal,
  id: EmojiId,
  ownedId: OwnedRow,
) {
  const entries = { emoji_id: id, page: 0, limit: newest, sort: 'id', dir: 'Desc' } as const
  const [owner, orders, transfers, history] = await Promise.all([
    scopes.has('user:show') ? findOwner(db, ownedId) : undefined,
    scopes.has('order:read') ? overviews.findOrders(db, id, newest) : undefined,
    scopes.has('adminEmoji:transfer') ? overviews.findTransfers(db, id, newest) : undefined,
    scopes.has('domainEvent:read') ? audit.listEntries(entries) : undefined,
  ])
  return {
    ...(owner === undefined ? {} : { owner }),
    ...(orders ? { orders } : {}),
    ...(transfers ? { transfers } : {}),
    ...(history ? { history: history.data } : {}),
    ...withheldPart(
      Object.entries({ owner, orders, transfers, history }).flatMap(([name, part]) =>
        part === undefined ? name : [],
      ),
    ),
  }
}

async function findOwner(db: Deps['db'], ownedId: OwnedRow) {
  if (!ownedId) return null
  const { pubkey, user_id, organization_id } = ownedId
  const [user, organization] = await Promise.all([
    user_id ? overviews.findUser(db, user_id) : undefined,
    organization_id ? overviews.findOrganization(db, organization_id) : undefined,
  ])
  return { pubkey, user: user ?? null, organization: organization ?? null }
}
