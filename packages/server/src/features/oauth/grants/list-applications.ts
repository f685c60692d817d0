import type { Principal } from '../../operations/access/index.ts'
import type { Deps } from './grants.ts'
import * as grants from './repository.ts'

export const listApplications = ({ db, now }: Deps, { user_id }: Principal) =>
  grants.findApplications(db, user_id, now())
