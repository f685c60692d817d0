import { createHash, randomBytes } from 'node:crypto'
import { refusal, refusalIn } from '../../../platform/errors.ts'
import { quote } from '../../../platform/mail/quote.ts'
import { hourMs, minuteMs } from '../../../platform/time.ts'
import {
  missingScope,
  type Principal,
  type Scope,
  scopesInOrganization,
} from '../../operations/access/index.ts'

const hex32 = '[0-9a-f]{32}'
const form = new RegExp(`^svc_(${hex32})([\\w-]{43})([0-9a-f]{8})$`)

const checksumOf = (text: string): string =>
  createHash('sha256').update(`checksum ${text}`).digest('hex').slice(0, 8)

/**
 * `svc_`, the id, 32 random bytes, a checksum: typing errors and leaked keys are recognized without
 * a database.
 */
export function makeKey(id: string): string {
  const body = `svc_${id.replaceAll('-', '')}${randomBytes(32).toString('base64url')}`
  return `${body}${checksumOf(body)}`
}

export function isKey(text: string): boolean {
  const found = form.exec(text)
  return found !== null && checksumOf(text.slice(0, -8)) === found[3]
}

/** The precision of the last use of a key. */
export const usedToTheMs = minuteMs
/** Each new key is mailed to its owner, so their number is limited. */
export const madeAtMost = 100
export const madeWithinMs = hourMs

const longestAgent = 300
export const shownAgent = (header: string | undefined): string | null =>
  header?.replace(/[^\x20-\x7e]/g, '').slice(0, longestAgent) || null

/** For the owner, who may not have made the key. */
export const madeSentence = (name: string): string =>
  `An API key named ${quote(name)} was made for your account. Programs use it in your name until it is deleted.`

/** The part of a key that identifies it and grants no access. */
export const prefixOf = (id: string): string => `svc_${id.replaceAll('-', '').slice(0, 8)}…`

/** A key never exceeds its maker. Rights in organizations have to be asked for. */
export function chooseScopes(caller: Principal, asked: readonly Scope[] | undefined): Scope[] {
  const roles = [...caller.memberships.values()]
  const ofMember = new Set(roles.flatMap((role) => scopesInOrganization(caller, role)))
  return choose(asked, caller.scopes, (scope) => ofMember.has(scope))
}

/**
 * A key that an operator makes exceeds neither the operator nor the owner, and has no rights in
 * organizations.
 */
export const chooseScopesFor = (
  maker: Principal,
  ofOwner: ReadonlySet<Scope>,
  asked: readonly Scope[] | undefined,
): Scope[] => choose(asked, new Set([...ofOwner].filter((scope) => maker.scopes.has(scope))))

function choose(
  asked: readonly Scope[] | undefined,
  held: ReadonlySet<Scope>,
  isHeldToo: (scope: Scope) => boolean = () => false,
): Scope[] {
  const beyond = (asked ?? []).filter((scope) => !held.has(scope) && !isHeldToo(scope))
  if (beyond.length > 0) throw missingScope(beyond)
  return [...new Set(asked ?? held)]
}

/** A key that a key made expires with it at the latest. */
export function chooseExpiry(
  { expires_at: latest }: Principal,
  text: string | undefined,
  now: Date,
): Date | null {
  if (text === undefined) return latest
  const end = new Date(text)
  if (Number.isNaN(end.getTime()) || end <= now) throw expiry()
  return latest && latest < end ? latest : end
}

const expiry = () =>
  refusalIn('expires_at', 'refused', 'past_expiry', 'expires_at takes a time to come.', 'past')

export const unknownKey = () => refusal('not_found', 'unknown_key', 'You have no such key.')

export const tooManyKeys = () =>
  refusal('refused', 'too_many_keys', 'You have 100 keys. Delete some first.')

export const tooManyMade = () => {
  const message = 'You made 100 keys within the last hour. Wait before you make more.'
  return refusal('limited', 'too_many_new_keys', message, { retry_after_seconds: 600 })
}

export const inactiveOwner = () =>
  refusal('refused', 'inactive_owner', 'The account that would have the key is deactivated.')
