import { toPage } from '../../../platform/http/paging.ts'
import { currentNetwork } from '../../../platform/request-id.ts'
import type { Deps } from './deps.ts'
import * as ids from './repository.ts'
import { readWanted, showOwn } from './rules.ts'
import type { OwnIdQuery } from './schema.ts'

export async function listOwnIds({ db, limits }: Deps, user_id: string, query: OwnIdQuery) {
  const search = readWanted(query.q ?? '')
  limits.words.spend(currentNetwork(), 1 + search.length)
  const { rows, total } = await ids.findPage(db, user_id, search, query)
  return toPage(rows.map(showOwn), total, query)
}
