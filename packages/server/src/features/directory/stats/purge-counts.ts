import type { Deps } from './deps.ts'
import { purgeBefore } from './repository.ts'
import { countedWindow, dayOf } from './rules.ts'

export const purgeCounts = ({ db, now }: Deps) => purgeBefore(db, dayOf(countedWindow(now()).start))
