import { createClockCache } from '../../../platform/cache/clock-cache.ts'
import { createAllowance } from '../../../platform/http/allowance.ts'
import { hourSeconds } from '../../../platform/time.ts'
import { tooManyNames } from './rules.ts'

export type Limits = ReturnType<typeof createLimits>

const hourly = (count: number) => ({ atOnce: count, perSecond: count / hourSeconds })
const perHour = (count: number) => createAllowance({ each: hourly(count) })

/** Responses that tell that a name has an account. A free name costs its asker an account. */
export const createLimits = () => ({
  /** Networks with the names that they were told. */
  told: createClockCache<true>(10_000),
  takenByClient: createAllowance({ each: hourly(20), refusal: tooManyNames }),
  /** More than one client can use up: otherwise one could stop the registrations of its neighbours. */
  takenByNetwork: createAllowance({ each: hourly(60), refusal: tooManyNames }),
  /** Each new address that an account asks for counts, because a free one costs nothing. */
  takenByAccount: perHour(10),
  /** For callers who may activate accounts: the servers of partners register many users. */
  takenByRegistrar: perHour(1_000),
})
