import { type SelectQueryBuilder, sql } from 'kysely'
import { type PageRequest, pageBounds } from '../http/paging.ts'

/** One page of what matches, in the order asked for and then by id, and how much matches in all. */
export async function readPage<Tables, Table extends keyof Tables>(
  matching: SelectQueryBuilder<Tables, Table, object>,
  request: PageRequest,
) {
  const { limit, offset } = pageBounds(request)
  const direction = request.dir === 'Asc' ? 'asc' : 'desc'
  const [rows, { total }] = await Promise.all([
    matching
      .selectAll()
      .orderBy(sql.ref(request.sort), direction)
      .orderBy(sql.ref('id'), direction)
      .limit(limit)
      .offset(offset)
      .execute(),
    matching
      .select(({ fn }) => fn.countAll<string>().as('total'))
      .executeTakeFirstOrThrow() as Promise<{ total: string }>,
  ])
  return { rows, total: Number(total) }
}
