import { globalRoles } from '@emojid/core'
import { refusal, ServiceError } from '../../../platform/errors.ts'
import {
  type GlobalRole,
  isKeyScope,
  type MemberRole,
  type Provider,
  type Scope,
  scopes,
} from './schema.ts'

/** The authenticated caller and their rights. */
export type Principal = Readonly<{
  /** `pending`: a session that still owes a code; `application`: an OAuth client of the user. */
  kind: 'session' | 'pending' | 'api_key' | 'application'
  user_id: string
  /** The account's epoch when the request was authenticated; a revocation raises it. */
  epoch: number
  /** The only id that an application may see. */
  emoji_id?: string
  role: GlobalRole
  scopes: ReadonlySet<Scope>
  memberships: ReadonlyMap<string, MemberRole>
  /** Null for an API key. */
  session_id: string | null
  /** The expiry of an API key. */
  expires_at: Date | null
  /** When the emailed link was opened that began this session. */
  linked_at: Date | null
  /** Signed in within the last 15 minutes; always false for a key. */
  isRecentLogin: boolean
  /** An operator without a second factor, where the service requires one. */
  lacksSecondFactor: boolean
  /**
   * The API key. `isLimited`: its owner removed a second factor since. Its scopes apply in an
   * organization as far as the membership of the owner allows.
   */
  key?: Readonly<{ id: string; isLimited: boolean; scopes: ReadonlySet<Scope> }>
  /** The second factor of the user, and whether a code was entered recently. */
  second_factor: Readonly<{ provider: Provider; isFresh: boolean }> | null
}>

/**
 * The access that a route requires. `public`: none, credentials are not read; `anybody`: none, valid
 * credentials make the response personal and invalid ones are ignored; `optional`: none, but
 * credentials must be valid if present; `user`: any account; `session`: a session, not a key;
 * `any_session`: also a session that still owes a code; otherwise one of the scopes.
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
 * A sensitive operation requires a fresh code from accounts with a second factor. The value names
 * what it requires from the others: a sign-in within 15 minutes and no API key, or nothing.
 * `keys_too` also accepts an API key that was made with a code.
 */
export type Sensitivity = 'code_or_sign_in' | 'code_or_nothing' | 'code_or_nothing_keys_too'

const userScopes: readonly Scope[] = [
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

const ofRoles = scopes.filter((scope) => !isKeyScope(scope))

const roleScopes: Record<GlobalRole, ReadonlySet<Scope>> = {
  User: new Set(userScopes),
  Bot: new Set([...userScopes.filter((scope) => !isPurchase(scope)), 'user:activate']),
  Admin: new Set(ofRoles.filter((scope) => scope !== 'adminUser:loginAs')),
  Super: new Set(ofRoles),
}

const controllerScopes: readonly Scope[] = [
  'domainEvent:read',
  'organization:read',
  'organizationEmoji:list',
  'organizationEmoji:write',
  'organizationCode:admin',
  'organizationUser:read',
]
const memberScopes: Record<MemberRole, ReadonlySet<Scope>> = {
  OrgMember: new Set(['organization:read']),
  OrgController: new Set(controllerScopes),
  OrgOwner: new Set([
    ...controllerScopes,
    'organization:write',
    'organization:admin',
    'organizationUser:admin',
  ]),
}

export const scopesOfRole = (role: GlobalRole): ReadonlySet<Scope> => roleScopes[role]
export const scopesOfMember = (role: MemberRole): ReadonlySet<Scope> => memberScopes[role]

/** The caller with their current role. Scopes can only be lost, never gained. */
export const inRole = (caller: Principal, role: GlobalRole): Principal => ({
  ...caller,
  role,
  scopes: new Set([...caller.scopes].filter((scope) => roleScopes[role].has(scope))),
})

/** Whether an operator has no second factor. */
export const lacksSecondFactor = ({ role, provider }: { role: GlobalRole; provider: unknown }) =>
  (role === 'Admin' || role === 'Super') && provider === null

export const isAdmin = ({ role }: Principal): boolean => role === 'Admin' || role === 'Super'

/** For routes that require a sign-in; API keys need one of `keyScopes`. */
export function mayCall(caller: Principal, access: Access, keyScopes: readonly Scope[]): boolean {
  const { scopes: heldScopes, kind } = caller
  if (access === 'session' || access === 'any_session') return kind !== 'api_key'
  if (needsNoScope(access)) {
    return kind === 'api_key' ? holdsSomewhere(caller, keyScopes) : heldScopes.size > 0
  }
  return [access].flat().some((scope) => heldScopes.has(scope as Scope))
}

/** Whether any account may call; API keys still need a scope. */
export const needsNoScope = (access: Access): boolean =>
  access === 'anybody' || access === 'optional' || access === 'user'

/** Whether the caller has one of the scopes, globally or in any organization. */
export const holdsSomewhere = (caller: Principal, required: readonly Scope[]): boolean =>
  required.some(
    (scope) =>
      caller.scopes.has(scope) ||
      [...caller.memberships.keys()].some((id) => mayInOrganization(caller, id, scope)),
  )

/** The caller's scopes by membership, limited to the scopes of an API key. */
export const scopesInOrganization = (caller: Principal, role: MemberRole): Scope[] =>
  [...memberScopes[role]].filter((scope) => !caller.key || caller.key.scopes.has(scope))

/** Whether the caller has the scope globally or by membership in the organization. */
export function mayInOrganization(caller: Principal, organization_id: string, scope: Scope) {
  if (caller.scopes.has(scope)) return true
  const member = caller.memberships.get(organization_id)
  const mayUseMembership = caller.kind === 'session' || caller.key?.scopes.has(scope) === true
  return mayUseMembership && member !== undefined && memberScopes[member].has(scope)
}

export function assertScope(caller: Principal, scope: Scope): void {
  if (!caller.scopes.has(scope)) throw missingScope([scope])
}

export function assertInOrganization(caller: Principal, organization_id: string, scope: Scope) {
  if (!mayInOrganization(caller, organization_id, scope)) throw missingScope([scope])
}

/** Removing the second factor does not give an older key more rights. */
export function assertFresh(caller: Principal, sensitive: Sensitivity): void {
  const refusal = findStaleness(caller, sensitive)
  if (refusal) throw refusal
}

function findStaleness(caller: Principal, sensitive: Sensitivity): ServiceError | undefined {
  const { second_factor, key, isRecentLogin } = caller
  const isForKeys = sensitive === 'code_or_nothing_keys_too'
  const asksSignIn = sensitive === 'code_or_sign_in'
  if (key && second_factor && !(isForKeys && second_factor.isFresh)) return notForKeys()
  if (key?.isLimited && !isForKeys) return notForKeys()
  if (key && asksSignIn) return personNeeded()
  if (second_factor && !second_factor.isFresh) return twoFactorRequired(second_factor.provider)
  if (asksSignIn && !second_factor && !isRecentLogin) return oldLogin()
  return undefined
}

/** For access that outlives the session: a thief must not turn a stolen token into it. */
export const assertPerson = (caller: Principal): void => assertFresh(caller, 'code_or_sign_in')

/** Whether `assertPerson` accepts the caller. */
export const isPerson = (caller: Principal): boolean =>
  findStaleness(caller, 'code_or_sign_in') === undefined

/** Callers cannot change their own role, nor grant or remove a role above their own. */
export function assertMayChangeRole(
  caller: Principal,
  subject: { id: string; role: GlobalRole },
  role: GlobalRole,
): void {
  assertScope(caller, 'adminUser:roleUpdate')
  if (subject.id === caller.user_id) throw ownRole()
  if (Math.max(rankOf(role), rankOf(subject.role)) > rankOf(caller.role)) throw higherRole()
}

const rankOf = (role: GlobalRole): number => globalRoles.indexOf(role)

export const isLowerRole = (role: GlobalRole, than: GlobalRole): boolean =>
  rankOf(role) < rankOf(than)

/** Acting for another account requires a higher rank. */
export function assertBelow(caller: Principal, subject: { role: GlobalRole }): void {
  if (rankOf(subject.role) >= rankOf(caller.role)) throw notBelow()
}

/** Setting the password or address of an operator is as powerful as granting the role. */
export function assertMayTakeOver(caller: Principal, subject: { id: string; role: GlobalRole }) {
  const isOther = subject.id !== caller.user_id
  if (isOther && subject.role !== 'User') assertScope(caller, 'adminUser:roleUpdate')
}

/**
 * Operators change accounts of lower roles and their own; a Super changes every account. So one stolen
 * Admin account does not control the others.
 */
export function assertMayChange(
  caller: Principal,
  subject: { id: string; role: GlobalRole },
): void {
  if (subject.id === caller.user_id || caller.role === 'Super') return
  if (rankOf(subject.role) > rankOf(caller.role)) throw higherRole()
  if (rankOf(subject.role) === rankOf(caller.role)) throw notSuper()
}

/** The reason why the caller may not call a route. */
export function refusalOf(
  { key }: Principal,
  access: Access,
  keyScopes: readonly Scope[],
): ServiceError {
  if (access === 'session' || access === 'any_session') return personNeeded()
  if (key?.scopes.size === 0) return noScopes()
  return missingScope(needsNoScope(access) ? keyScopes : ([access].flat() as Scope[]))
}

export function isScope(text: string): text is Scope {
  return (scopes as readonly string[]).includes(text)
}

export const missingCredential = () =>
  refusal(
    'unauthenticated',
    'unauthenticated',
    'Sign in first. Send an access token as "Authorization: Bearer …", or an API key as X-Api-Key.',
  )

export class InvalidTokenError extends ServiceError {
  override readonly name = 'Access.InvalidTokenError'
  constructor() {
    super(
      'unauthenticated',
      'invalid_token',
      'The access token or API key is not valid. Refresh it or sign in again.',
    )
  }
}

export const pendingSecondFactor = () =>
  refusal('forbidden', 'pending_second_factor', 'Enter your second factor first: POST /auth/2fa.')

const twoFactorRequired = (provider: string) =>
  refusal(
    'second_factor',
    'two_factor_required',
    'This requires a new code. Send it to POST /auth/2fa, then retry.',
    {
      extra: { provider },
    },
  )

/** A stolen token does not prove a recent sign-in. */
export const oldLogin = (hint = 'Sign in again, then retry.') =>
  refusal('forbidden', 'old_login', `This requires a sign-in within the last 15 minutes. ${hint}`)

export const missingSecondFactor = () =>
  refusal(
    'forbidden',
    'missing_second_factor',
    'Administrators need a second factor. Set one up first: POST /account/2fa, then /account/2fa/confirm.',
  )

export const notForApplications = () => {
  const message = 'Applications can only call GET /emoji_id and public operations.'
  return refusal('forbidden', 'insufficient_scope', message)
}

const notForKeys = () =>
  refusal('forbidden', 'not_for_keys', 'API keys can’t do this. Sign in with a second factor.')

export const personNeeded = () => {
  const message = 'API keys can’t do this. Sign in instead.'
  return refusal('forbidden', 'insufficient_scope', message)
}

const noScopes = () => {
  const message = 'This API key has no scopes. Create a key with scopes.'
  return refusal('forbidden', 'insufficient_scope', message)
}

export const missingScope = (required: readonly Scope[]) =>
  refusal('forbidden', 'insufficient_scope', `This requires the scope ${required.join(' or ')}.`)

const ownRole = () =>
  refusal('forbidden', 'own_role', 'You can’t change your own role. Ask another administrator.')

const higherRole = () =>
  refusal('forbidden', 'higher_role', 'This requires a higher role than yours.')

const notSuper = () =>
  refusal('forbidden', 'not_super', 'Only a Super can change another administrator.')

const notBelow = () =>
  refusal(
    'forbidden',
    'not_below',
    'You can do this only for accounts with a lower role than yours.',
  )

export const unknownUser = () => refusal('not_found', 'unknown_user', 'No user has this id.')
