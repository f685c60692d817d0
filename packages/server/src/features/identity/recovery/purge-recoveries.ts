import type { Deps } from './deps.ts'
import * as recoveries from './repository.ts'
import * as rules from './rules.ts'

export const purgeRecoveries = ({ db, now }: Deps) =>
  recoveries.deleteBefore(db, new Date(now().getTime() - rules.finishWithinMs))
