import { bindTo, bindUseCases } from '../../../platform/bind.ts'
import type { JobModule } from '../../../platform/jobs/worker.ts'
import type { Deps } from './deps.ts'
import {
  confirmPasskey,
  listPasskeys,
  purgeChallenges,
  removePasskey,
  renamePasskey,
  revokePasskeys,
  unconfirmPasskeys,
} from './manage-passkeys.ts'
import { registerPasskey, startRegistration } from './register-passkey.ts'
import { removeOfUser } from './repository.ts'
import { startAssertion, verifyPasskey } from './verify-passkey.ts'

export { challengeMs } from './rules.ts'
export type { Challenge } from './verify-passkey.ts'

export type Passkeys = ReturnType<typeof createPasskeys>

/**
 * Passkeys sign in at the web site and count there as a fresh second factor, unless they are older
 * than the second factor. The API does not use them: `two_factor_auth` and `requires_2fa` name apps
 * and text messages only.
 */
export function createPasskeys(deps: Deps) {
  const { accounts, secondFactor } = deps
  accounts.whenDisowned(removeOfUser)
  accounts.beforeDeletion(removeOfUser)
  accounts.whenRevoked(revokePasskeys)
  secondFactor.whenRemoved(unconfirmPasskeys)
  return {
    ...bindUseCases(deps, {
      startRegistration,
      registerPasskey,
      startAssertion,
      listPasskeys,
      renamePasskey,
      confirmPasskey,
      removePasskey,
      purgeChallenges,
    }),
    verifyPasskey: bindTo(deps)(verifyPasskey),
  }
}

export const passkeyJobs = (passkeys: Passkeys): JobModule => ({
  tasks: { 'passkeys.purge': () => passkeys.purgeChallenges() },
  schedules: [{ task: 'passkeys.purge', cron: '23 * * * *' }],
})
