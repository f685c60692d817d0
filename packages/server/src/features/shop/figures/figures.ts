import { bindUseCases } from '../../../platform/bind.ts'
import { createSharedValue } from '../../../platform/cache/shared-value.ts'
import { minuteMs } from '../../../platform/time.ts'
import { countFigures } from './count-figures.ts'
import type { Deps, Options } from './deps.ts'
import { showFigures } from './show-figures.ts'

export type Figures = ReturnType<typeof createFigures>

/** Counts of the last 30 days for operators. All operators share one count a minute. */
export function createFigures(options: Options) {
  const load = () => countFigures(options)
  const deps: Deps = {
    loadFigures: createSharedValue({ load, freshMs: minuteMs, now: options.now }),
  }
  return bindUseCases(deps, { showFigures })
}
