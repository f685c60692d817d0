import { memberRoles } from '@emojid/core'
import {
  type GlobalRole,
  type Scope,
  scopesOfMember,
  scopesOfRole,
} from '../../features/operations/access/access.ts'

type Config = {
  access?: string | readonly string[]
  key_scopes?: readonly string[]
  more_scopes?: readonly string[]
  sensitive?: string
  for_applications?: unknown
  idempotent?: true | 'secret'
}

type Requirement = Record<string, readonly string[]>

const token: Requirement = { JWT: [] }
const key: Requirement = { apiKey: [] }
const others: Record<string, readonly Requirement[]> = {
  public: [],
  anybody: [{}, token, key],
  optional: [{}, token, key],
  session: [token],
  any_session: [token],
  user: [token, key],
}

export const securitySchemes = {
  JWT: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
  apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
} as const

const roles: readonly GlobalRole[] = ['User', 'Bot']
const ofPeople = new Set<string>([
  ...roles.flatMap((role) => [...scopesOfRole(role)]),
  ...memberRoles.flatMap((role) => [...scopesOfMember(role)]),
] satisfies Scope[])

const asksFresh = 'Requires a fresh code from accounts with a second factor (424).'
const asksRecent =
  'Requires a fresh code from accounts with a second factor (424), and a sign-in within the last 15 minutes from all other accounts (403). API keys are refused.'
const forApplications =
  'Applications in which a person signed in with an emoji id call it with their SvcAccessToken, and get that id only.'

/** The access rules of an operation, as its route declares them. */
export function describeAccess(
  { access = 'public', key_scopes, more_scopes, ...config }: Config,
  { tags, description }: { tags?: readonly string[]; description?: string },
) {
  const { sensitive, for_applications, idempotent } = config
  const knownRequirements = typeof access === 'string' ? others[access] : undefined
  const scopes = knownRequirements ? [] : [access].flat()
  const isForOperators = scopes.length > 0 && !scopes.some((scope) => ofPeople.has(scope))
  const asksSignIn = sensitive === 'code_or_sign_in'
  const fresh = asksSignIn ? asksRecent : sensitive ? asksFresh : ''
  const added = [fresh, for_applications ? forApplications : '']
  const text = [description, ...added].filter(Boolean).join(' ')
  return {
    security: knownRequirements ?? (asksSignIn ? [token] : [token, key]),
    ...(scopes.length > 0 ? { 'x-scope': scopes } : {}),
    // Key scopes where people need none, and the scopes of single parts.
    ...(key_scopes ? { 'x-key-scopes': key_scopes } : {}),
    ...(more_scopes ? { 'x-more-scopes': more_scopes } : {}),
    // Clients may repeat these with the same Idempotency-Key.
    ...(idempotent ? { 'x-idempotent': true } : {}),
    ...(text ? { description: text } : {}),
    ...(isForOperators ? { tags: ['Operators'] } : tags ? { tags } : {}),
  }
}
