import type { Sealer } from '../../../platform/crypto/seal.ts'
import { dayMs } from '../../../platform/time.ts'
import type { Database } from '../../../tables.ts'
import type { Provider } from '../../operations/access/access.ts'
import * as factors from './repository.ts'
import type { Deps } from './second-factor.ts'

export const sealSecret = ({ sealer }: Deps, user_id: string, provider: Provider, text: string) =>
  sealer.seal(text, sealContext(user_id, provider))

export const openSecret = (
  { sealer }: Deps,
  {
    user_id,
    provider,
    sealed: text,
  }: {
    user_id: string
    provider: Provider
    sealed: string
  },
) => sealer.open(text, sealContext(user_id, provider)).toString()

// Twice the period of the rate limits, because the clocks of processes may differ.
export const purgeFactors = (db: Database, at: Date) =>
  factors.deleteBefore(db, new Date(at.getTime() - 2 * dayMs))

/** Wraps every second factor with the current master key; returns how many. */
export const rewrapSecondFactors = (db: Database, sealer: Sealer): Promise<number> =>
  factors.rewrap(db, (user_id, provider, sealedText) =>
    sealer.rewrap(sealedText, sealContext(user_id, provider)),
  )

/** Binds the sealed secret to its user: it does not unseal in another row. */
const sealContext = (user_id: string, provider: Provider): string => `${provider} of ${user_id}`
