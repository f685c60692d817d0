import { bindUseCases } from '../../../platform/bind.ts'
import type { Deps } from './deps.ts'
import { exportIds } from './export-ids.ts'
import { importIds } from './import-ids.ts'

export type BulkIds = ReturnType<typeof createBulkIds>

/** Import and export of many ids, for operators who move a whole directory. */
export function createBulkIds(deps: Deps) {
  return bindUseCases(deps, {
    importIds,
    exportIds,
  })
}
