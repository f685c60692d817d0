import { type Compilable, type Kysely, type SelectQueryBuilder, sql } from 'kysely'
import { type PageRequest, pageBounds } from '../http/api/paging.ts'
import { readAtOnce } from './database.ts'

/** A page up to this offset is read without waiting for the count. */
const near = 1_000

/** One page of the matching rows, in the requested order and then by id, with the total. */
export async function readPage<Tables, Table extends keyof Tables>(
  db: Kysely<Tables>,
  matchingQuery: SelectQueryBuilder<Tables, Table, object>,
  request: PageRequest,
) {
  const { limit, offset } = pageBounds(request)
  const direction = request.dir === 'Asc' ? 'asc' : 'desc'
  const reverseDirection = direction === 'asc' ? 'desc' : 'asc'
  const read = (towards: 'asc' | 'desc', part: { limit: number; offset: number }) =>
    matchingQuery
      .selectAll()
      .orderBy(sql.ref(request.sort), towards)
      .orderBy(sql.ref('id'), towards)
      .limit(part.limit)
      .offset(part.offset)
  const countedQuery = matchingQuery.select(({ fn }) => fn.countAll<string>().as('total'))
  const totalOf = (rows: readonly object[]) => Number((rows[0] as { total: string }).total)
  if (offset < near) {
    const [rows, counts] = await Promise.all([
      read(direction, { limit, offset }).execute(),
      countedQuery.execute(),
    ])
    return { rows, total: totalOf(counts) }
  }
  // One snapshot for both: an insert in between would shift the page.
  return readAtOnce(db, async (trx) => {
    const ask = async <Row>(query: Compilable<Row>) => (await trx.executeQuery(query)).rows
    const total = totalOf(await ask(countedQuery))
    if (offset >= total) return { rows: [], total }
    if (offset < total / 2) return { rows: await ask(read(direction, { limit, offset })), total }
    // Reads from the nearer end, so that the last page is as fast as the first.
    const end = Math.min(offset + limit, total)
    const rows = await ask(read(reverseDirection, { limit: end - offset, offset: total - end }))
    return { rows: rows.toReversed(), total }
  })
}
