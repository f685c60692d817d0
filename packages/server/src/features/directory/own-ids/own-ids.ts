import { bindUseCases } from '../../../platform/bind.ts'
import { toPage } from '../../../platform/http/api/paging.ts'
import { type Budget, createBudget } from '../../../platform/http/limits.ts'
import { currentNetwork } from '../../../platform/request-id.ts'
import type { Database } from '../../../tables.ts'
import * as ids from './repository.ts'
import type { OwnIdQuery } from './routes.ts'
import { readWanted, showOwn } from './rules.ts'

export type Options = { db: Database }

type Deps = Options & { words: Budget }

/** One for the list, and one for each word: the query searches every id of the owner. */
const rates = {
  each: { atOnce: 300, perSecond: 30 },
  all: { atOnce: 1_500, perSecond: 150 },
}

export type OwnIds = ReturnType<typeof createOwnIds>

/** The ids of a user, as the account page lists them. */
export function createOwnIds(options: Options) {
  const deps: Deps = { ...options, words: createBudget('own ids', rates) }
  return bindUseCases(deps, { listOwnIds })
}

async function listOwnIds({ db, words }: Deps, user_id: string, query: OwnIdQuery) {
  const search = readWanted(query.q ?? '')
  words.spend(currentNetwork(), 1 + search.length)
  const { rows, total } = await ids.findPage(db, user_id, search, query)
  return toPage(rows.map(showOwn), total, query)
}
