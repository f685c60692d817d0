import { type SelectQueryBuilder, sql } from 'kysely'
import { type PageRequest, pageBounds } from '../http/paging.ts'

/** Up to here nobody waits for the count before the page is read. */
const near = 1_000

/** One page of what matches, in the order asked for and then by id, and how much matches in all. */
export async function readPage<Tables, Table extends keyof Tables>(
  matching: SelectQueryBuilder<Tables, Table, object>,
  request: PageRequest,
) {
  const { limit, offset } = pageBounds(request)
  const direction = request.dir === 'Asc' ? 'asc' : 'desc'
  const back = direction === 'asc' ? 'desc' : 'asc'
  const read = (towards: 'asc' | 'desc', part: { limit: number; offset: number }) =>
    matching
      .selectAll()
      .orderBy(sql.ref(request.sort), towards)
      .orderBy(sql.ref('id'), towards)
      .limit(part.limit)
      .offset(part.offset)
      .execute()
  const count = async () => {
    const { total } = (await matching
      .select(({ fn }) => fn.countAll<string>().as('total'))
      .executeTakeFirstOrThrow()) as { total: string }
    return Number(total)
  }
  if (offset < near) {
    const [rows, total] = await Promise.all([read(direction, { limit, offset }), count()])
    return { rows, total }
  }
  const total = await count()
  if (offset >= total) return { rows: [], total }
  if (offset < total / 2) return { rows: await read(direction, { limit, offset }), total }
  // Nearer to the end: from there, so that the last page is as quick as the first.
  const end = Math.min(offset + limit, total)
  const rows = await read(back, { limit: end - offset, offset: total - end })
  return { rows: rows.toReversed(), total }
}
