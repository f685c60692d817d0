import { createHash, randomBytes } from 'node:crypto'
import { refusal, refusalIn } from '../../../platform/errors.ts'
import { quote } from '../../../platform/mail/quote.ts'
import { hourMs, minuteMs } from '../../../platform/time.ts'
import {
  isKeyScope,
  missingScope,
  type Principal,
  type Scope,
  scopesInOrganization,
} from '../../operations/access/access.ts'

const hex32 = '[0-9a-f]{32}'
const keyFormat = new RegExp(`^svc_(${hex32})([\\w-]{43})([0-9a-f]{8})$`)

const checksumOf = (text: string): string =>
  createHash('sha256').update(`checksum ${text}`).digest('hex').slice(0, 8)

/**
 * `svc_`, the id, 32 random bytes, a checksum. The checksum reveals typing errors and leaked keys
 * without a database.
 */
export function makeKey(id: string): string {
  const body = `svc_${id.replaceAll('-', '')}${randomBytes(32).toString('base64url')}`
  return `${body}${checksumOf(body)}`
}

export function isKey(text: string): boolean {
  const parts = keyFormat.exec(text)
  return parts !== null && checksumOf(text.slice(0, -8)) === parts[3]
}

/** The precision of the last use of a key. */
export const lastUsePrecisionMs = minuteMs
/** A rate limit, because each new key sends an email. */
export const newKeysAtMost = 100
export const newKeysWithinMs = hourMs

const longestAgent = 300
export const shownAgent = (header: string | undefined): string | null =>
  header?.replace(/[^\x20-\x7e]/g, '').slice(0, longestAgent) || null

/** For the owner, because an intruder may have created the key. */
export const createdSentence = (name: string): string =>
  `The API key ${quote(name)} was created for your account. Programs can act in your name with it until you delete it.`

/** The part of a key that identifies it and grants no access. */
export const prefixOf = (id: string): string => `svc_${id.replaceAll('-', '').slice(0, 8)}…`

/** A key never exceeds its creator. Scopes in organizations must be requested by name. */
export function chooseScopes(caller: Principal, requested: readonly Scope[] | undefined): Scope[] {
  const roles = [...caller.memberships.values()]
  const memberScopes = new Set(roles.flatMap((role) => scopesInOrganization(caller, role)))
  return choose(requested, caller.scopes, (scope) => memberScopes.has(scope) || isKeyScope(scope))
}

/**
 * A key that an operator creates exceeds neither the operator nor the owner. It has no scopes in
 * organizations.
 */
export const chooseScopesFor = (
  operator: Principal,
  ownerScopes: ReadonlySet<Scope>,
  requested: readonly Scope[] | undefined,
): Scope[] =>
  choose(requested, new Set([...ownerScopes].filter((scope) => operator.scopes.has(scope))))

function choose(
  requested: readonly Scope[] | undefined,
  ownScopes: ReadonlySet<Scope>,
  isHeldAsMember: (scope: Scope) => boolean = () => false,
): Scope[] {
  const missing = (requested ?? []).filter(
    (scope) => !ownScopes.has(scope) && !isHeldAsMember(scope),
  )
  if (missing.length > 0) throw missingScope(missing)
  return [...new Set(requested ?? ownScopes)]
}

export function readExpiry(text: string | undefined, now: Date): Date | null {
  if (text === undefined) return null
  const end = new Date(text)
  if (Number.isNaN(end.getTime()) || end <= now) throw pastExpiry()
  return end
}

const pastExpiry = () =>
  refusalIn('expires_at', 'refused', 'past_expiry', 'expires_at must be in the future.', 'past')

export const unknownKey = () =>
  refusal('not_found', 'unknown_key', 'You have no API key with this id.')

export const tooManyKeys = () =>
  refusal(
    'refused',
    'too_many_keys',
    'You have 100 API keys, which is the maximum. Delete some first.',
  )

export const tooManyNewKeys = () => {
  const message = 'You created 100 API keys within the last hour. Try again later.'
  return refusal('limited', 'too_many_new_keys', message, { retry_after_seconds: 600 })
}

export const inactiveOwner = () =>
  refusal(
    'refused',
    'inactive_owner',
    'This account is deactivated. Activate it before you create a key.',
  )
