import { withheldPart } from '../../../platform/http/schemas.ts'
import type { Principal } from '../../operations/access/index.ts'
import type { Deps } from './deps.ts'
import { type FigureSet, figureNames } from './schema.ts'

/** Leaves out the figures whose scope the caller does not have. */
export async function showFigures(
  { loadFigures }: Deps,
  { scopes }: Principal,
): Promise<FigureSet> {
  const { as_of, sales, refunds, sign_ups, refund_requests, open_reports, ...queues } =
    await loadFigures()
  const shown = {
    ...(scopes.has('order:read') ? { sales, refund_requests } : {}),
    ...(scopes.has('refund:read') ? { refunds } : {}),
    ...(scopes.has('user:list') ? { sign_ups } : {}),
    ...(scopes.has('adminEmoji:load') ? { open_reports } : {}),
    ...(scopes.has('domainAction:read') ? queues : {}),
  }
  return { as_of, ...shown, ...withheldPart(figureNames.filter((name) => !(name in shown))) }
}
