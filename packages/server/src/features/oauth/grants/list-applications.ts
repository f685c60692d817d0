import type { Principal } from '../../operations/access/index.ts'
import type { Deps } from './deps.ts'
import * as grants from './repository.ts'
import * as rules from './rules.ts'

export async function listApplications({ db, now }: Deps, { user_id }: Principal) {
  const open = await grants.findOpen(db, user_id, now())
  return rules.latestOfEach(open)
}
