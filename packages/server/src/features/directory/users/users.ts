import { bindUseCases } from '../../../platform/bind.ts'
import { activateUser, deactivateUser } from './activate-user.ts'
import type { Deps } from './deps.ts'
import { listUsers, showUser } from './read-users.ts'
import { removeUser } from './remove-user.ts'
import { updateUser } from './update-user.ts'
import { listAllFeatures, listFeatures, listFeaturesOf, setFeatures } from './user-features.ts'

export { makeSuper } from './make-super.ts'
export { Feature } from './schema.ts'

export type Users = ReturnType<typeof createUsers>

/** Account management by operators, and account deletion by users. */
export function createUsers(deps: Deps) {
  return bindUseCases(deps, {
    updateUser,
    activateUser,
    deactivateUser,
    setFeatures,
    removeUser,
    listUsers,
    showUser,
    listFeatures,
    listFeaturesOf,
    listAllFeatures,
  })
}
