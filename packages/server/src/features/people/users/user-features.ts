import { transact } from '../../../platform/database/database.ts'
import { assertMayChange, type Principal } from '../../operations/access/access.ts'
import * as users from './repository.ts'
import type { FeatureChange } from './schema.ts'
import type { Deps } from './users.ts'

export async function setFeatures(
  { db, accounts, audit }: Deps,
  caller: Principal,
  id: string,
  { codes, reason }: FeatureChange,
) {
  await transact(db, async (trx) => {
    assertMayChange(caller, await accounts.loadAccountToChange(trx, id))
    await users.replaceFeatures(trx, id, [...new Set(codes)])
    const details = { codes, ...(reason ? { reason } : {}) }
    const noted = { actor_id: caller.user_id, subject_id: id, details }
    await audit.writeEntry(trx, 'features.changed', noted)
  })
  return users.findFeatures(db, id)
}

export const listFeatures = ({ db }: Deps, user_id: string) => users.findFeatures(db, user_id)

export async function listFeaturesOf({ accounts, db }: Deps, user_id: string) {
  await accounts.loadAccount(user_id)
  return users.findFeatures(db, user_id)
}

export const listAllFeatures = ({ db }: Deps) => users.findAllFeatures(db)
