import type { Deps } from './deps.ts'
import * as recoveries from './repository.ts'
import * as rules from './rules.ts'

export const purgeRecoveries = ({ db, now }: Deps) =>
  recoveries.forgetBefore(db, new Date(now().getTime() - rules.keptMs))
