import { refusal, ServiceError } from '../../../platform/errors.ts'
import {
  type GlobalRole,
  globalRoles,
  type MemberRole,
  type Provider,
  type Scope,
  scopes,
} from './schema.ts'

/** Who calls, as far as it matters for what they may do. */
export type Principal = Readonly<{
  /** `pending`: a session that still owes a code; `application`: one that the user logs in at. */
  kind: 'session' | 'pending' | 'api_key' | 'application'
  user_id: string
  /** The account's epoch when the request was authenticated; a revocation raises it. */
  epoch: number
  /** The only id that an application may see. */
  emoji_id?: string
  role: GlobalRole
  scopes: ReadonlySet<Scope>
  memberships: ReadonlyMap<string, MemberRole>
  /** Absent for an API key. */
  session_id: string | null
  /** When the API key ends, if it does. */
  expires_at: Date | null
  /** When the mailed link was opened that this session came from. */
  linked_at: Date | null
  /** Logged in within the last minutes; never a key. */
  isRecentLogin: boolean
  /** An operator without a second factor, where operators need one. */
  lacksSecondFactor: boolean
  /**
   * Which API key it is; limited: its maker took a second factor off since. Its scopes are what it
   * was made for: in an organization they count as far as the membership goes.
   */
  key?: Readonly<{ id: string; isLimited: boolean; scopes: ReadonlySet<Scope> }>
  /** For users who have one: which, and whether a code was given lately. */
  second_factor: Readonly<{ provider: Provider; isFresh: boolean }> | null
}>

/**
 * What a route asks of its caller. `public`: nothing, credentials are not even read; `anybody`:
 * nothing, good credentials make the answer personal and bad ones are ignored; `optional`:
 * nothing, but who sends credentials must send good ones; `user`: any account;
 * `session`: a person, not a key; `any_session`: also one that still owes a code; else one of the
 * scopes.
 */
export type Access =
  | 'public'
  | 'anybody'
  | 'optional'
  | 'user'
  | 'session'
  | 'any_session'
  | Scope
  | readonly Scope[]

/**
 * Operations that need a fresh second factor, of those who have one. Keys may do some of them;
 * for others who have no second factor log in anew.
 */
export type Sensitive = true | 'for_keys_too' | 'recent_login'

const ofUser: readonly Scope[] = [
  'cart:show',
  'cart:update',
  'user:createApiKey',
  'edition:read',
  'emoji::transfer',
  'lootbox:use',
  'order:readSelf',
  'organizationList:read',
  'nftSignature:write',
  'paymentMethod:destroy',
  'paymentMethod:read',
  'paymentMethod:setDefault',
  'userData:update',
  'user:deleteSelf',
  'userEmoji:list',
  'userInterest:delete',
  'userInterest:read',
  'userInterest:write',
  'user:writeSelf',
]
const isPurchase = (scope: Scope) => /^(cart|paymentMethod):/.test(scope)

const ofRole: Record<GlobalRole, ReadonlySet<Scope>> = {
  User: new Set(ofUser),
  Bot: new Set([...ofUser.filter((scope) => !isPurchase(scope)), 'user:activate']),
  Admin: new Set(scopes.filter((scope) => scope !== 'adminUser:loginAs')),
  Super: new Set(scopes),
}

const ofController: readonly Scope[] = [
  'organization:read',
  'organizationEmoji:list',
  'organizationEmoji:write',
  'organizationCode:admin',
  'organizationUser:read',
]
const ofMemberRole: Record<MemberRole, ReadonlySet<Scope>> = {
  OrgMember: new Set(['organization:read']),
  OrgController: new Set(ofController),
  OrgOwner: new Set([
    ...ofController,
    'organization:write',
    'organization:admin',
    'organizationUser:admin',
  ]),
}

export const scopesOfRole = (role: GlobalRole): ReadonlySet<Scope> => ofRole[role]
export const scopesOfMember = (role: MemberRole): ReadonlySet<Scope> => ofMemberRole[role]

/** The caller in the role that they have by now, with which no scope comes that they did not hold. */
export const inRole = (caller: Principal, role: GlobalRole): Principal => ({
  ...caller,
  role,
  scopes: new Set([...caller.scopes].filter((scope) => ofRole[role].has(scope))),
})

/** Operators without a second factor. */
export const lacksSecondFactor = ({ role, provider }: { role: GlobalRole; provider: unknown }) =>
  (role === 'Admin' || role === 'Super') && provider === null

export const isAdmin = ({ role }: Principal): boolean => role === 'Admin' || role === 'Super'

/** For routes that require a login; `keyScopes` are the scopes they require of API keys. */
export function mayCall(caller: Principal, access: Access, keyScopes: readonly Scope[]): boolean {
  const { scopes: held, kind } = caller
  if (access === 'session' || access === 'any_session') return kind !== 'api_key'
  if (asksNoScope(access)) {
    return kind === 'api_key' ? holdsSomewhere(caller, keyScopes) : held.size > 0
  }
  return [access].flat().some((scope) => held.has(scope as Scope))
}

/** Whether any account may call: then keys need to be made for it. */
export const asksNoScope = (access: Access): boolean =>
  access === 'anybody' || access === 'optional' || access === 'user'

/** One of the scopes, everywhere or in some organization; which one it is, the service checks. */
export const holdsSomewhere = (caller: Principal, asked: readonly Scope[]): boolean =>
  asked.some(
    (scope) =>
      caller.scopes.has(scope) ||
      [...caller.memberships.keys()].some((id) => mayInOrganization(caller, id, scope)),
  )

/** What a membership gives the caller; a key no more than it was made for. */
export const scopesInOrganization = (caller: Principal, role: MemberRole): Scope[] =>
  [...ofMemberRole[role]].filter((scope) => !caller.key || caller.key.scopes.has(scope))

/** A scope held everywhere, or by membership in that organization. */
export function mayInOrganization(caller: Principal, organization_id: string, scope: Scope) {
  if (caller.scopes.has(scope)) return true
  const member = caller.memberships.get(organization_id)
  const isMade = caller.kind === 'session' || caller.key?.scopes.has(scope) === true
  return isMade && member !== undefined && ofMemberRole[member].has(scope)
}

export function assertScope(caller: Principal, scope: Scope): void {
  if (!caller.scopes.has(scope)) throw missingScope([scope])
}

export function assertInOrganization(caller: Principal, organization_id: string, scope: Scope) {
  if (!mayInOrganization(caller, organization_id, scope)) throw missingScope([scope])
}

/**
 * Throws unless the caller has no second factor, or gave a code lately. A key gains nothing when its
 * maker takes the second factor off, but for what keys may do anyway.
 */
export function assertFresh(caller: Principal, sensitive: Sensitive): void {
  const { second_factor, key, isRecentLogin } = caller
  const isForKeys = sensitive === 'for_keys_too'
  if (key && second_factor && !(isForKeys && second_factor.isFresh)) throw keyNotEnough()
  if (key?.isLimited && !isForKeys) throw keyNotEnough()
  if (key && sensitive === 'recent_login') throw personNeeded()
  if (second_factor && !second_factor.isFresh) throw secondFactorNeeded(second_factor.provider)
  if (sensitive === 'recent_login' && !second_factor && !isRecentLogin) throw oldLogin()
}

/** Callers cannot change their own role, nor grant or remove a role above their own. */
export function assertMayChangeRole(
  caller: Principal,
  subject: { id: string; role: GlobalRole },
  role: GlobalRole,
): void {
  assertScope(caller, 'adminUser:roleUpdate')
  if (subject.id === caller.user_id) throw ownRole()
  if (Math.max(rankOf(role), rankOf(subject.role)) > rankOf(caller.role)) throw roleAbove()
}

const rankOf = (role: GlobalRole): number => globalRoles.indexOf(role)

export const isLowerRole = (role: GlobalRole, than: GlobalRole): boolean =>
  rankOf(role) < rankOf(than)

/** Acting for another account requires a higher rank. */
export function assertBelow(caller: Principal, subject: { role: GlobalRole }): void {
  if (rankOf(subject.role) >= rankOf(caller.role)) throw notBelow()
}

/** Who sets somebody's password or address can be them: with more than a User may, that is as good as a role. */
export function assertMayTakeOver(caller: Principal, subject: { id: string; role: GlobalRole }) {
  const isOther = subject.id !== caller.user_id
  if (isOther && subject.role !== 'User') assertScope(caller, 'adminUser:roleUpdate')
}

/**
 * Operators change accounts below their own and themselves; a Super changes everybody. Otherwise one
 * stolen Admin would be all of them.
 */
export function assertMayChange(
  caller: Principal,
  subject: { id: string; role: GlobalRole },
): void {
  if (subject.id === caller.user_id || caller.role === 'Super') return
  if (rankOf(subject.role) > rankOf(caller.role)) throw roleAbove()
  if (rankOf(subject.role) === rankOf(caller.role)) throw superNeeded()
}

/** Why somebody may not call a route. */
export function refusalOf(
  { key }: Principal,
  access: Access,
  keyScopes: readonly Scope[],
): ServiceError {
  if (access === 'session' || access === 'any_session') return personNeeded()
  if (key?.scopes.size === 0) return noScopes()
  return missingScope(asksNoScope(access) ? keyScopes : ([access].flat() as Scope[]))
}

export function isScope(text: string): text is Scope {
  return (scopes as readonly string[]).includes(text)
}

export const missingCredential = () =>
  refusal(
    'unauthenticated',
    'unauthenticated',
    'Sign in first: send an access token as "Authorization: Bearer …", or a key as X-Api-Key.',
  )

export class InvalidTokenError extends ServiceError {
  override readonly name = 'Access.InvalidTokenError'
  constructor() {
    super(
      'unauthenticated',
      'invalid_token',
      'The access token or key is not valid any more. Refresh it or log in again.',
    )
  }
}

/** A code is owed before anything else. */
export const pending = () =>
  refusal('forbidden', 'pending_second_factor', 'Post your code to /auth/2fa first.')

const secondFactorNeeded = (provider: string) =>
  refusal(
    'second_factor',
    'two_factor_required',
    'Post a new code to /auth/2fa, then repeat this.',
    {
      extra: { provider },
    },
  )

/** A stolen token does not prove a recent login. */
export const oldLogin = (hint = 'Log in again, then repeat this.') =>
  refusal('forbidden', 'old_login', `This needs a login within the last 15 minutes. ${hint}`)

/** Operators set a second factor up before anything else. */
export const secondFactorMissing = () =>
  refusal(
    'forbidden',
    'missing_second_factor',
    'Administrators need a second factor. Set one up first: POST /account/2fa, then /account/2fa/confirm.',
  )

/** Applications see the id that was chosen for them, and nothing else. */
export const application = () => {
  const message = 'Applications may read GET /emoji_id and what is public.'
  return refusal('forbidden', 'insufficient_scope', message)
}

const keyNotEnough = () =>
  refusal('forbidden', 'not_for_keys', 'This needs a person with a second factor, not an API key.')

const personNeeded = () => {
  const message = 'This needs a person who is signed in, not an API key.'
  return refusal('forbidden', 'insufficient_scope', message)
}

const noScopes = () => {
  const message = 'This key was made without scopes: it may do nothing.'
  return refusal('forbidden', 'insufficient_scope', message)
}

export const missingScope = (asked: readonly Scope[]) =>
  refusal('forbidden', 'insufficient_scope', `This needs the scope ${asked.join(' or ')}.`)

const ownRole = () =>
  refusal('forbidden', 'own_role', 'Nobody changes their own role. Ask another administrator.')

const roleAbove = () => refusal('forbidden', 'higher_role', 'This goes above your own role.')

const superNeeded = () =>
  refusal('forbidden', 'not_super', 'Only a Super changes another administrator.')

const notBelow = () =>
  refusal('forbidden', 'not_below', 'This is for accounts whose role is below your own.')

export const unknownUser = () => refusal('not_found', 'unknown_user', 'There is no such user.')
