import { bindTo, bindUseCases } from '../../../platform/bind.ts'
import { createClockCache } from '../../../platform/cache/clock-cache.ts'
import { createBudget } from '../../../platform/http/limits.ts'
import type { Passwords } from '../../../platform/passwords/passwords.ts'
import { hourSeconds } from '../../../platform/time.ts'
import type { Database, Transaction } from '../../../tables.ts'
import type { Audit } from '../../operations/audit/audit.ts'
import type { Notifications } from '../../operations/notifications/notifications.ts'
import type { Keys } from '../keys/keys.ts'
import type { LinkData, Links, NoticeEvent } from '../links/links.ts'
import type { Throttle } from '../throttle/throttle.ts'
import { assertNameUnused, findPendingEmail, requestEmailChange } from './change-email.ts'
import { assertPassword, hashAcceptablePassword, setPassword } from './change-password.ts'
import { createAccount, createAdmin } from './create-account.ts'
import {
  assertSettledMailbox,
  findFormerEmails,
  findUnsettledUntil,
  keepFormerMailbox,
  returnToMailbox,
} from './former-mailboxes.ts'
import {
  mailboxesFor,
  mailboxesForOwn,
  notifyAccount,
  notifyOfKey,
  notifyOwner,
} from './notify-owner.ts'
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
  showAccountsOf,
} from './read-accounts.ts'
import * as users from './repository.ts'
import {
  demoteAccount,
  disownAccount,
  endSessions,
  revokeAccess,
  takeLink,
  voidStartedSignIns,
  withdrawForeignEmailChange,
} from './revoke-access.ts'
import { tooManyNames } from './rules.ts'
import { changeAccount, recordPrompt, updateAccount } from './update-account.ts'

export { emailChanged, securityNotice } from './mails.ts'
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
export { AccountChange, activationSource, DisplayUser, Registration } from './schema.ts'

/** An action of another feature, in the same transaction. */
export type UserListener = (trx: Transaction, user_id: string) => Promise<void>

/** The scope of a revocation of access. */
export type Revocation = {
  /** Also removes wallets and foreign public keys added since then; all of them if null. */
  since: Date | null
  /** The notices whose reader said "this was not me", the oldest first. */
  notices?: readonly (LinkData & { event: NoticeEvent; at: Date })[]
  /** The account has another mailbox now. */
  isNewMailbox?: true
  /** An operator deactivated the account or set its password. */
  isByOperator?: true
}

export type RevocationListener = (
  trx: Transaction,
  user_id: string,
  revocation: Revocation,
) => Promise<void>

export type Options = {
  db: Database
  keys: Keys
  links: Links
  notifications: Notifications
  audit: Audit
  throttle: Throttle
  passwords: Passwords
  now: () => Date
  authUrl: string
  appealsEmail: string
  /** Accounts have free ids only above 0. */
  freeCeiling: number
}

export type Deps = Options & {
  limits: Limits
  whenDemoted: UserListener[]
  whenDisowned: UserListener[]
  beforeDeletion: UserListener[]
  whenRevoked: RevocationListener[]
}

type Limits = ReturnType<typeof createLimits>

const hourly = (count: number) => ({ atOnce: count, perSecond: count / hourSeconds })
const perHour = (name: string, count: number) => createBudget(name, { each: hourly(count) })

/** Responses that tell that a name has an account. A free name costs its asker an account. */
const createLimits = () => ({
  /** The networks that learned of a taken name, with it. */
  takenNames: createClockCache<true>(10_000),
  takenByClient: createBudget('taken names of a client', {
    each: hourly(20),
    refusal: tooManyNames,
  }),
  /** More than one client can use up: otherwise one could stop the registrations of its neighbours. */
  takenByNetwork: createBudget('taken names', { each: hourly(60), refusal: tooManyNames }),
  /** Each new address that an account asks for counts, because a free one costs nothing. */
  takenByAccount: perHour('taken names of an account', 10),
  /** For callers who may activate accounts: the servers of partners register many users. */
  takenByRegistrar: perHour('taken names of a registrar', 1_000),
})

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
      showAccountsOf,
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
      findAccounts,
      changeAccount,
      recordPrompt,
      endSessions,
      voidStartedSignIns,
      withdrawForeignEmailChange,
      takeLink,
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

/** Runs the deletion actions of every feature and removes the links of the account. */
async function prepareDeletion(
  { beforeDeletion, links }: Deps,
  trx: Transaction,
  user_id: string,
): Promise<void> {
  for (const action of beforeDeletion) await action(trx, user_id)
  await links.removeLinks(trx, user_id)
}
