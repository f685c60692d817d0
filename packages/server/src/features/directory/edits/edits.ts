import { bindUseCases } from '../../../platform/bind.ts'
import type { Deps, Options } from './deps.ts'
import { editRecords } from './edit-records.ts'
import { createLimits } from './limits.ts'
import { replaceLinkedRecords, replaceRecords, writeDemoRecords } from './replace-records.ts'
import * as rules from './rules.ts'
import { previewUndo, undoEdit } from './undo-edit.ts'

export { NewRecord } from './schema.ts'

export type Edits = ReturnType<typeof createEdits>

/** Edits of an id's records: atomic, signed, saved in the history, emailed to the owners. */
export function createEdits(options: Options) {
  const limits = createLimits()
  const deps: Deps = { ...options, limits }
  return {
    ...bindUseCases(deps, {
      editRecords,
      replaceLinkedRecords,
      replaceRecords,
      writeDemoRecords,
      previewUndo,
      undoEdit,
    }),
    /** Checks records of a file like those of an edit. */
    readWhole: rules.readWhole,
    limits,
  }
}
