import { toPage } from '../../platform/http/paging.ts'
import type { Database } from '../../tables.ts'
import * as ids from './repository.ts'
import { readWanted, showOwn } from './rules.ts'
import type { OwnIdQuery } from './schema.ts'

export type OwnIds = ReturnType<typeof createOwnIds>

/** What somebody has, page by page, as their account shows it. */
export const createOwnIds = ({ db }: { db: Database }) => ({
  async list(user_id: string, query: OwnIdQuery) {
    const { rows, total } = await ids.findPage(db, user_id, readWanted(query.q ?? ''), query)
    return toPage(rows.map(showOwn), total, query)
  },
})
