import { bindUseCases } from '../../../platform/bind.ts'
import type { Deps } from './deps.ts'
import { showOverview } from './show-overview.ts'

export type IdOverviews = ReturnType<typeof createIdOverviews>

/** One id as operators see it: owner, state, reports, orders, transfers and history. */
export const createIdOverviews = (deps: Deps) => bindUseCases(deps, { showOverview })
