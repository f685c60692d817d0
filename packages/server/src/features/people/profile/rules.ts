import { toPage } from '../../../platform/http/api/paging.ts'
import type { DisplayUser } from '../../identity/accounts/accounts.ts'
import type { Principal, Scope } from '../../operations/access/access.ts'

/** Callers see a part of an account with its scope, or with the right to load any account. */
export const maySee = ({ scopes }: Principal, part: Scope): boolean =>
  scopes.has(part) || scopes.has('adminUser:load')

/** An empty page. */
export const noTransfers = toPage([], 0, { page: 0, limit: 50, sort: 'created_at', dir: 'Desc' })

/** Personal data and secrets of an account, empty. */
const noPersonal = {
  pubkeys: [],
  free_limit: 0,
  remaining_free_emoji: 0,
  alternate_id: null,
  email: null,
  pending_email: null,
  former_emails: [],
  first_name: null,
  last_name: null,
  source: null,
  email_verified_at: null,
  two_factor_should_prompt: false,
  two_factor_last_prompted_at: null,
  two_factor_auth: null,
} satisfies Partial<DisplayUser>

/** All members are present. */
export const withoutPersonal = (user: DisplayUser): DisplayUser => ({ ...user, ...noPersonal })

/** The parts of an account by the scope that shows them. */
const accountParts: readonly [Scope, readonly string[]][] = [
  [
    'user:writeSelf',
    [
      'features',
      'pubkeys',
      'has_password',
      'email_needs_password',
      'partner_transaction_id',
      ...Object.keys(noPersonal).map((name) => `user.${name}`),
    ],
  ],
  ['organizationList:read', ['organization_roles', 'organization_scopes']],
  ['emoji::transfer', ['pending_transfers']],
]

const loadedParts: readonly [Scope, readonly string[]][] = [
  ['emoji::transfer', ['incoming_transfers', 'outgoing_transfers']],
  ['user:writeSelf', ['wallets', 'partner_transaction_id']],
]

const namesWithout = (caller: Principal, parts: typeof accountParts): string[] =>
  parts.flatMap(([scope, names]) => (maySee(caller, scope) ? [] : names))

export const withheldFromAccount = (caller: Principal) => namesWithout(caller, accountParts)

export const withheldFromLoad = (caller: Principal, seesIds: boolean) => [
  ...namesWithout(caller, loadedParts),
  ...(seesIds ? [] : ['extended_list']),
]
