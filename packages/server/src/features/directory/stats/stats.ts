import { bindUseCases } from '../../../platform/bind.ts'
import type { Deps } from './deps.ts'
import { createLookupCounter } from './lookup-counter.ts'
import { readViews } from './read-views.ts'
import { purgeBefore } from './repository.ts'
import { countedWindow, dayOf } from './rules.ts'

export type Stats = ReturnType<typeof createStats>

/** How often ids are looked up. */
export function createStats(deps: Deps) {
  const { db, now } = deps
  return {
    ...createLookupCounter(deps),
    ...bindUseCases(deps, { readViews }),
    purgeCounts: () => purgeBefore(db, dayOf(countedWindow(now()).start)),
  }
}
