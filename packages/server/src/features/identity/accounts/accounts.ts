import { bindTo, bindUseCases } from '../../../platform/bind.ts'
import { assertNameUnused, findPendingEmail, requestEmailChange } from './change-email.ts'
import { assertPassword, hashAcceptablePassword, setPassword } from './change-password.ts'
import { createAccount, createAdmin } from './create-account.ts'
import type { Deps, Options, RevocationListener, UserListener } from './deps.ts'
import {
  assertSettledMailbox,
  findFormerEmails,
  findUnsettledUntil,
  keepFormerMailbox,
  returnToMailbox,
} from './former-mailboxes.ts'
import { createLimits } from './limits.ts'
import {
  mailboxesFor,
  mailboxesForOwn,
  notifyAccount,
  notifyOfKey,
  notifyOwner,
} from './notify-owner.ts'
import { prepareDeletion } from './prepare-deletion.ts'
import {
  findAccount,
  findAccounts,
  findByAlternateId,
  findByEmail,
  findOperators,
  isAccountId,
  loadAccount,
  loadAccountToChange,
  loadCaller,
  showAccount,
  showAccounts,
} from './read-accounts.ts'
import * as users from './repository.ts'
import {
  demoteAccount,
  disownAccount,
  endSessions,
  followLink,
  revokeAccess,
  voidStartedSignIns,
  withdrawForeignEmailChange,
} from './revoke-access.ts'
import { changeAccount, recordPrompt, updateAccount } from './update-account.ts'

export type { Revocation } from './deps.ts'
export type { User } from './repository.ts'
export {
  assertHashable,
  emptyAccount,
  firstPasswordMs,
  isUnclaimed,
  loginNameOf,
  needsPasswordForEmail,
  readLine,
  readNames,
  readRegistration,
  TakenError,
  unconfirmedEmail,
} from './rules.ts'
export {
  AccountChange,
  activationSource,
  DisplayUser,
  Pubkey,
  Registration,
} from './schema.ts'

export type Accounts = ReturnType<typeof createAccounts>

export function createAccounts(options: Options) {
  const { keys, notifications } = options
  const whenDisowned: UserListener[] = [notifications.removeNotifications]
  const beforeDeletion: UserListener[] = [notifications.removeNotifications]
  const whenRevoked: RevocationListener[] = []
  const whenDemoted: UserListener[] = []
  const limits = createLimits()
  const deps: Deps = { ...options, limits, whenDisowned, beforeDeletion, whenRevoked, whenDemoted }
  const bind = bindTo(deps)
  keys.beforeAdded(bind(notifyOfKey))

  return {
    ...bindUseCases(deps, {
      createAccount,
      showAccount,
      showAccounts,
      loadAccount,
      hashAcceptablePassword,
      assertPassword,
      setPassword,
      requestEmailChange,
      findPendingEmail,
      findFormerEmails,
      findUnsettledUntil,
      notifyAccount,
      notifyOwner,
      mailboxesFor,
      mailboxesForOwn,
      keepFormerMailbox,
      returnToMailbox,
      assertSettledMailbox,
      findByEmail,
      findByAlternateId,
      findAccount,
      changeAccount,
      recordPrompt,
      endSessions,
      voidStartedSignIns,
      withdrawForeignEmailChange,
      followLink,
      revokeAccess,
      prepareDeletion,
      createAdmin,
      assertNameUnused,
      isAccountId,
      disownAccount,
      demoteAccount,
    }),
    loadAccountToChange,
    loadCaller,
    /** Locks the user; undefined for a deleted account. */
    findAccountToChange: users.findToChange,
    findAccounts,
    takeFreeIds: users.takeFree,
    findOperators,
    whenRevoked: (action: RevocationListener) => void whenRevoked.push(action),
    /** Adds an action that runs when a user gets a lower role. */
    whenDemoted: (action: UserListener) => void whenDemoted.push(action),
    /** Adds an action that runs when the owner of the mailbox disowns the account. */
    whenDisowned: (action: UserListener) => void whenDisowned.push(action),
    /** Adds an action that runs before an account is deleted. It can refuse the deletion. */
    beforeDeletion: (action: UserListener) => void beforeDeletion.push(action),
    updateAccount: bind(updateAccount),
    /** The budget of responses to an account that tell something about the mailbox of another. */
    takenByAccount: limits.takenByAccount,
  }
}
