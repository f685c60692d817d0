import { toPage } from '../../../platform/http/paging.ts'
import { readEmojiId } from '../../directory/emoji-ids/index.ts'
import type { Principal } from '../../operations/access/index.ts'
import type { Deps } from './deps.ts'
import * as interests from './repository.ts'
import * as rules from './rules.ts'
import type { InterestQuery } from './schema.ts'

export async function listInterests({ db }: Deps, { user_id }: Principal, query: InterestQuery) {
  const { rows, total } = await interests.findPage(db, user_id, query)
  return toPage(rows, total, query)
}

export async function showInterest({ db }: Deps, { user_id }: Principal, text: string) {
  const id = readEmojiId(text)
  const interest = await interests.find(db, user_id, id)
  if (!interest) throw rules.unknownInterest(id)
  return interest
}
