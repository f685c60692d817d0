import { createHash } from 'node:crypto'
import { refusal } from '../../../platform/errors.ts'
import { minuteMs } from '../../../platform/time.ts'
import type { OauthClient } from '../clients/index.ts'

export const codeLastsMs = minuteMs
export const accessLastsMs = 900_000
/** Members of the query that belong to a request, beside the id that was chosen. */
export const parameters = [
  'response_type',
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
] as const

/** What a browser was sent with: absent is undefined, given twice is an array. */
export type Query = Readonly<Partial<Record<string, unknown>>>
export type Problem = { error: string; error_description: string }

type Check = {
  /** Who is told: the application, or only the person while the application is not verified. */
  tells: 'person' | 'application'
  error: string
  description: string
  fails: (query: Query, client: OauthClient | undefined) => boolean
}

/** The first failed check is reported. Until the first two hold, the browser is not redirected. */
const checks: readonly Check[] = [
  {
    tells: 'person',
    error: 'unknown_client',
    description:
      'We do not know the application that sent you here. Tell its makers. It has learned nothing about you.',
    fails: (_query, client) => client === undefined,
  },
  {
    tells: 'person',
    error: 'unknown_redirect_uri',
    description:
      'The application wants to have you back at an address that it has not registered. Tell its makers. It has learned nothing about you.',
    fails: ({ redirect_uri }, client) => !isRegistered(redirect_uri, client),
  },
  {
    tells: 'application',
    error: 'invalid_request',
    description: 'A parameter is given twice.',
    fails: (query) => [...parameters, 'svc'].some((name) => Array.isArray(query[name])),
  },
  {
    tells: 'application',
    error: 'invalid_request',
    description: 'response_type is missing.',
    fails: ({ response_type }) => !response_type,
  },
  {
    tells: 'application',
    error: 'unsupported_response_type',
    description: 'response_type has to be code.',
    fails: ({ response_type }) => response_type !== 'code',
  },
  {
    tells: 'application',
    error: 'invalid_scope',
    description: 'scope has to be svc.',
    fails: ({ scope }) => scope !== 'svc',
  },
  {
    tells: 'application',
    error: 'invalid_request',
    description: 'state has at most 50 characters.',
    fails: ({ state }) => [...text(state)].length > 50,
  },
  {
    tells: 'application',
    error: 'invalid_request',
    description: 'code_challenge_method has to be S256.',
    fails: ({ code_challenge: challenge, code_challenge_method: method }) =>
      (challenge !== undefined || method !== undefined) && method !== 'S256',
  },
  {
    tells: 'application',
    error: 'invalid_request',
    description: 'code_challenge has to be a SHA-256 in base64url.',
    fails: ({ code_challenge: challenge, code_challenge_method: method }) =>
      method !== undefined && !/^[\w-]{43}$/.test(text(challenge)),
  },
]

const isRegistered = (uri: unknown, client: OauthClient | undefined): boolean =>
  typeof uri === 'string' && client !== undefined && client.redirect_uris.includes(uri)

export const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The problem of a request for the application; throws problems that only the person may see. */
export function problemOf(query: Query, client: OauthClient | undefined): Problem | undefined {
  const failed = checks.find(({ fails }) => fails(query, client))
  if (failed?.tells === 'person') throw badRequest(failed.error, failed.description)
  return failed && { error: failed.error, error_description: failed.description }
}

type Login = { client_id: string; emoji_id: string; created_at: Date }

/** Logins at the same application with the same id are one, since the first; the latest comes first. */
export function latestOfEach<One extends Login>(logins: readonly One[]): One[] {
  const found = new Map<string, One>()
  for (const login of logins) {
    const key = `${login.client_id} ${login.emoji_id}`
    const latest = found.get(key) ?? login
    const isEarlier = login.created_at < latest.created_at
    found.set(key, isEarlier ? { ...latest, created_at: login.created_at } : latest)
  }
  return [...found.values()]
}

/** PKCE: whether the verifier fits the challenge. */
export function isVerified(challenge: unknown, verifier: string | undefined): boolean {
  if (challenge === undefined) return verifier === undefined
  if (verifier === undefined || !/^[\w.~-]{43,128}$/.test(verifier)) return false
  return createHash('sha256').update(verifier).digest('base64url') === challenge
}

/** Only the person is told: there is nobody else whom we know. */
const badRequest = (code: string, message: string) => refusal('invalid', code, message)

/** The code or token is not good, for whichever reason. */
export const invalidGrant = () =>
  refusal(
    'invalid',
    'invalid_grant',
    'The code or token was used already, is too old, or is not for this application.',
  )

export const unknownApplication = () =>
  refusal('not_found', 'unknown_application', 'You are not logged in at this application.')
