import { withheldPart } from '../../../platform/http/schemas.ts'
import { needsPasswordForEmail } from '../../identity/accounts/index.ts'
import {
  type Principal,
  scopesInOrganization,
  scopesOfRole,
} from '../../operations/access/index.ts'
import type { Deps } from './deps.ts'
import { maySee, withheldFromAccount, withoutPersonal } from './rules.ts'

export async function describeAccount(
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
