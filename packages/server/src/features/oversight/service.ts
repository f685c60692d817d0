import { toPage } from '../../platform/http/paging.ts'
import type { Database } from '../../tables.ts'
import * as books from './repository.ts'
import { UnknownThingError } from './rules.ts'
import type { UseQuery } from './schema.ts'

export type Oversight = ReturnType<typeof createOversight>

/** What operators look at and nobody else: what stands behind an order, and behind a code. */
export function createOversight({ db }: { db: Database }) {
  return {
    async booksOf(order_id: string) {
      if (!(await books.hasOrder(db, order_id))) throw new UnknownThingError('order')
      const [entries, attempts] = await Promise.all([
        books.findEntries(db, order_id),
        books.findAttempts(db, order_id),
      ])
      return { entries, attempts }
    },

    async usesOf(code_id: string, query: UseQuery) {
      if (!(await books.hasCode(db, code_id))) throw new UnknownThingError('code')
      const { rows, total } = await books.findUses(db, code_id, query)
      return toPage(rows, total, query)
    },
  }
}
