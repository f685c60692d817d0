import type { Principal } from '../../operations/access/index.ts'
import type { Deps } from './deps.ts'
import type { FigureSet } from './schema.ts'

/** Leaves out the figures whose scope the caller does not have. */
export async function showFigures(
  { loadFigures }: Deps,
  { scopes }: Principal,
): Promise<FigureSet> {
  const { as_of, sales, refunds, sign_ups, refund_requests, open_reports, ...queues } =
    await loadFigures()
  return {
    as_of,
    ...(scopes.has('order:read') ? { sales, refund_requests } : {}),
    ...(scopes.has('refund:read') ? { refunds } : {}),
    ...(scopes.has('user:list') ? { sign_ups } : {}),
    ...(scopes.has('adminEmoji:load') ? { open_reports } : {}),
    ...(scopes.has('domainAction:read') ? queues : {}),
  }
}
