import { bindUseCases } from '../../../platform/bind.ts'
import { withheldPart } from '../../../platform/http/api/schemas.ts'
import { assertOneOwner, type EmojiIds } from '../../directory/emoji-ids/emoji-ids.ts'
import type { Transfers } from '../../directory/transfers/transfers.ts'
import {
  type AccountChange,
  type Accounts,
  needsPasswordForEmail,
} from '../../identity/accounts/accounts.ts'
import type { Organizations } from '../../identity/organizations/organizations.ts'
import type { Sessions } from '../../identity/sessions/sessions.ts'
import type { Wallets } from '../../identity/wallets/wallets.ts'
import {
  assertScope,
  missingSecondFactor,
  type Principal,
  scopesInOrganization,
  scopesOfRole,
} from '../../operations/access/access.ts'
import type { Notifications } from '../../operations/notifications/notifications.ts'
import type { Users } from '../users/users.ts'
import {
  maySee,
  noTransfers,
  withheldFromAccount,
  withheldFromLoad,
  withoutPersonal,
} from './rules.ts'

export type Deps = {
  accounts: Accounts
  users: Users
  organizations: Organizations
  sessions: Sessions
  wallets: Wallets
  emojiIds: EmojiIds
  transfers: Transfers
  notifications: Notifications
}

export type Profile = ReturnType<typeof createProfile>

/** The account as its user sees it, gathered from many features. */
export function createProfile(deps: Deps) {
  return bindUseCases(deps, { describeAccount, changeAccount, loadAccount })
}

async function describeAccount(
  { accounts, users, organizations, transfers, notifications }: Deps,
  user_id: string,
  caller: Principal,
) {
  const user = await accounts.loadAccount(user_id)
  const isOwnSession = caller.kind === 'session' && caller.user_id === user_id
  const isPersonal = maySee(caller, 'user:writeSelf')
  const [account, pending_email, former_emails, features, own, pending_transfers, unread] =
    await Promise.all([
      accounts.showAccount(user),
      accounts.findPendingEmail(user_id),
      accounts.findFormerEmails(user),
      isPersonal ? users.listFeatures(user_id) : [],
      maySee(caller, 'organizationList:read') ? organizations.listOrganizationsOf(user_id) : [],
      maySee(caller, 'emoji::transfer') ? transfers.listPendingIds(caller, user) : [],
      isOwnSession ? notifications.countUnread(user_id) : 0,
    ])
  const visible = isPersonal
    ? { ...account, pending_email, former_emails }
    : withoutPersonal(account)
  return {
    features,
    role: user.role,
    user: visible,
    pubkeys: visible.pubkeys,
    has_password: isPersonal && user.password_hash !== null,
    email_needs_password: isPersonal && (!caller.isRecentLogin || needsPasswordForEmail(user)),
    global_scopes: [...(caller.user_id === user_id ? caller.scopes : scopesOfRole(user.role))],
    organization_roles: Object.fromEntries(own.map(({ id, role }) => [id, role])),
    organization_scopes: Object.fromEntries(
      own.map(({ id, role }) => [id, scopesInOrganization(caller, role)]),
    ),
    pending_transfers,
    partner_transaction_id: isPersonal ? user.partner_transaction_id : null,
    ...(isOwnSession ? { unread_notifications: unread } : {}),
    ...withheldPart(withheldFromAccount(caller)),
  }
}

async function changeAccount(
  deps: Deps,
  caller: Principal,
  change: AccountChange,
  { address, user_agent }: { address: string; user_agent: string | undefined },
) {
  const { accounts, sessions } = deps
  // A new password revokes all tokens; the device that changed it gets new ones.
  const token_response = await accounts.updateAccount(caller, change, address, (trx) =>
    sessions.continueSession(trx, caller, user_agent),
  )
  return { ...(await describeAccount(deps, caller.user_id, caller)), token_response }
}

type AccountQuery = { user_id?: string; organization_id?: string }

async function loadAccount(deps: Deps, caller: Principal, query: AccountQuery) {
  const { accounts, emojiIds, transfers, wallets } = deps
  assertOneOwner(query)
  const user_id = query.user_id ?? caller.user_id
  const isOthers = user_id !== caller.user_id || query.organization_id !== undefined
  // Operators without a second factor may read only their own account, to set it up.
  if (isOthers && caller.lacksSecondFactor) throw missingSecondFactor()
  if (user_id !== caller.user_id) assertScope(caller, 'adminUser:load')
  const seesIds = maySeeIds(caller, user_id, query)
  const ownedIds = seesIds ? await emojiIds.listIdsExtended(caller, query) : []
  const isForTransfers = maySee(caller, 'emoji::transfer')
  const current_user = await describeAccount(deps, user_id, caller)
  if (user_id === caller.user_id && current_user.user.two_factor_should_prompt) {
    await accounts.recordPrompt(user_id)
  }
  return {
    current_user,
    editions: [],
    incoming_transfers: isForTransfers ? await transfers.listIncomingFor(caller, user_id) : [],
    outgoing_transfers: isForTransfers
      ? await transfers.listNewestOutgoing(caller, user_id)
      : noTransfers,
    extended_list: ownedIds,
    wallets: maySee(caller, 'user:writeSelf') ? await wallets.listWallets(user_id) : [],
    partner_transaction_id: current_user.partner_transaction_id,
    sidebar: null,
    ...withheldPart(withheldFromLoad(caller, seesIds)),
  }
}

/** The list of an organization checks the rights in it itself. */
const maySeeIds = (caller: Principal, user_id: string, { organization_id }: AccountQuery) =>
  organization_id !== undefined ||
  caller.scopes.has(user_id === caller.user_id ? 'userEmoji:list' : 'adminEmoji:load')
