import { toPage } from '../../../platform/http/paging.ts'
import type { DisplayUser } from '../../identity/accounts/index.ts'
import type { Principal, Scope } from '../../operations/access/index.ts'

/** Callers see a part of an account with its scope, or with the right to load any account. */
export const maySee = ({ scopes }: Principal, part: Scope): boolean =>
  scopes.has(part) || scopes.has('adminUser:load')

/** An empty page. */
export const noTransfers = toPage([], 0, { page: 0, limit: 50, sort: 'created_at', dir: 'Desc' })

/** All members are present; personal data and secrets are empty. */
export const withoutPersonal = (user: DisplayUser): DisplayUser => ({
  ...user,
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
})
