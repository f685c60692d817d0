import { toPage } from '../../../platform/http/paging.ts'
import type { Deps } from './deps.ts'
import * as books from './repository.ts'
import { unknownCode, unknownOrder } from './rules.ts'
import type { UseQuery } from './schema.ts'

export async function showOrderBooks({ db }: Deps, order_id: string) {
  if (!(await books.hasOrder(db, order_id))) throw unknownOrder()
  const [entries, attempts] = await Promise.all([
    books.findEntries(db, order_id),
    books.findAttempts(db, order_id),
  ])
  return { entries, attempts }
}

export async function listCodeUses({ db }: Deps, code_id: string, query: UseQuery) {
  if (!(await books.hasCode(db, code_id))) throw unknownCode()
  const { rows, total } = await books.findUses(db, code_id, query)
  return toPage(rows, total, query)
}
