import { bindUseCases } from '../../../platform/bind.ts'
import type { Deps } from './deps.ts'
import { createLookupCounter } from './lookup-counter.ts'
import { purgeCounts } from './purge-counts.ts'
import { readDays, readViews, readViewsToday } from './read-views.ts'

export type Stats = ReturnType<typeof createStats>

export function createStats(deps: Deps) {
  return {
    ...createLookupCounter(deps),
    ...bindUseCases(deps, { readDays, readViews, readViewsToday, purgeCounts }),
  }
}
