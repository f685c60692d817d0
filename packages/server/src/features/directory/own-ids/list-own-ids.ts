import { toPage } from '../../../platform/http/paging.ts'
import type { Deps } from './deps.ts'
import * as ids from './repository.ts'
import { readWanted, showOwn } from './rules.ts'
import type { OwnIdQuery } from './schema.ts'

export async function listOwnIds({ db }: Deps, user_id: string, query: OwnIdQuery) {
  const { rows, total } = await ids.findPage(db, user_id, readWanted(query.q ?? ''), query)
  return toPage(rows.map(showOwn), total, query)
}
