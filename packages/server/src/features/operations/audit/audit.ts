import { bindUseCases } from '../../../platform/bind.ts'
import type { Deps } from './deps.ts'
import { listEntries } from './list-entries.ts'
import { writeEntries, writeEntry } from './write-entries.ts'

export type Audit = ReturnType<typeof createAudit>

/** The audit log. Entries are written in the transaction of the event. */
export function createAudit(deps: Deps) {
  return bindUseCases(deps, {
    writeEntry,
    writeEntries,
    listEntries,
  })
}
