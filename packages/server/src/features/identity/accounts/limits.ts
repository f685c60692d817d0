import { createAllowance } from '../../../platform/http/allowance.ts'
import { hourSeconds } from '../../../platform/time.ts'

export type Limits = ReturnType<typeof createLimits>

const perHour = (count: number) =>
  createAllowance({ each: { atOnce: count, perSecond: count / hourSeconds } })

/** Responses that tell that a name has an account. A free name costs its asker an account. */
export const createLimits = () => ({
  takenByNetwork: perHour(20),
  /** Each new address that an account asks for counts, because a free one costs nothing. */
  takenByAccount: perHour(10),
  /** For callers who may activate accounts: the servers of partners register many users. */
  takenByRegistrar: perHour(1_000),
})
