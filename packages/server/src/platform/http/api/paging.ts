import { type Static, type TSchema, Type } from 'typebox'
import { OneOf } from './schemas.ts'

const directions = ['Asc', 'Desc'] as const

export type PageRequest<Sort extends string = string> = {
  page: number
  limit: number
  sort: Sort
  dir: (typeof directions)[number]
}

/** The parameters of every list: pages count from 0. */
export const pagingQuery = <Sort extends string>(
  sorts: readonly Sort[],
  defaults: { sort: Sort; dir: 'Asc' | 'Desc' },
) =>
  Type.Object({
    page: Type.Integer({ minimum: 0, maximum: 1_000_000, default: 0 }),
    limit: Type.Integer({ minimum: 1, default: 50, description: 'At most 200 are returned' }),
    sort: Type.Unsafe<Sort>({ ...OneOf(sorts), default: defaults.sort }),
    dir: Type.Unsafe<'Asc' | 'Desc'>({ ...OneOf(directions), default: defaults.dir }),
  })

const Paging = Type.Object({
  dir: OneOf(directions),
  limit: Type.Integer(),
  page: Type.Integer(),
  sort: Type.String(),
  tags: Type.Object(
    {},
    { additionalProperties: true, description: 'Always empty: lists have no further facts' },
  ),
  total: Type.Integer(),
})

export const pageOf = <Item extends TSchema>(item: Item) =>
  Type.Object({ data: Type.Array(item), paging: Paging })

/** The shapes of a paged list: its query, and a page of these rows. */
export const listOf = <Query extends TSchema, Row extends TSchema>(
  querystring: Query,
  row: Row,
) => ({
  querystring,
  response: { 200: pageOf(row) },
})

const largestPage = 200

/** The rows of a page. */
export function pageBounds({ page, limit: requestedLimit }: PageRequest) {
  const limit = Math.min(requestedLimit, largestPage)
  return { limit, offset: page * limit }
}

export function toPage<Item>(data: Item[], total: number, { page, limit, sort, dir }: PageRequest) {
  const paging: Static<typeof Paging> = {
    page,
    limit: Math.min(limit, largestPage),
    sort,
    dir,
    total,
    tags: {},
  }
  return { data, paging }
}
