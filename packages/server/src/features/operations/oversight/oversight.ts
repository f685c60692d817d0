import { bindUseCases } from '../../../platform/bind.ts'
import type { Deps } from './deps.ts'
import { listCodeUses, showOrderBooks } from './read-books.ts'

export type Oversight = ReturnType<typeof createOversight>

/** Reports for operators: the ledger and payment attempts of an order, the uses of a code. */
export function createOversight(deps: Deps) {
  return bindUseCases(deps, {
    showOrderBooks,
    listCodeUses,
  })
}
