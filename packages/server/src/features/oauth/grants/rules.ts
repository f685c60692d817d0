import { createHash } from 'node:crypto'
import { refusal } from '../../../platform/errors.ts'
import { minuteMs, secondMs } from '../../../platform/time.ts'
import type { OauthClient } from '../clients/clients.ts'

export const codeLastsMs = minuteMs
const parallelWithinMs = secondMs
/** Whether a second exchange of a code comes from the same burst as the first, not from a thief. */
export const isParallel = (used_at: Date, now: Date): boolean =>
  now.getTime() - used_at.getTime() <= parallelWithinMs
export const accessLastsMs = 900_000
/** The query parameters of an authorization request, without the chosen id. */
export const parameters = [
  'response_type',
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
] as const

/** A parsed query: an absent parameter is undefined, a repeated one is an array. */
export type Query = Readonly<Partial<Record<string, unknown>>>
export type Problem = { error: string; error_description: string }

type Check = {
  /** The recipient of the error: only the user, until the application and address are verified. */
  reportTo: 'user' | 'application'
  error: string
  description: string
  fails: (query: Query, client: OauthClient | undefined) => boolean
}

/** Only the first failed check is reported. The browser is not redirected until the first two pass. */
const checks: readonly Check[] = [
  {
    reportTo: 'user',
    error: 'unknown_client',
    description:
      'We don’t know the application that sent you here. Please tell its developer; we shared nothing about you.',
    fails: (_query, client) => client === undefined,
  },
  {
    reportTo: 'user',
    error: 'unknown_redirect_uri',
    description:
      'The return address of this application isn’t registered. Please tell its developer; we shared nothing about you.',
    fails: ({ redirect_uri }, client) => !isRegistered(redirect_uri, client),
  },
  {
    reportTo: 'application',
    error: 'invalid_request',
    description: 'A parameter is repeated.',
    fails: (query) => [...parameters, 'svc'].some((name) => Array.isArray(query[name])),
  },
  {
    reportTo: 'application',
    error: 'invalid_request',
    description: 'response_type is missing.',
    fails: ({ response_type }) => !response_type,
  },
  {
    reportTo: 'application',
    error: 'unsupported_response_type',
    description: 'response_type must be code.',
    fails: ({ response_type }) => response_type !== 'code',
  },
  {
    reportTo: 'application',
    error: 'invalid_scope',
    description: 'scope must be svc.',
    fails: ({ scope }) => scope !== 'svc',
  },
  {
    reportTo: 'application',
    error: 'invalid_request',
    description: 'state must have at most 50 characters.',
    fails: ({ state }) => [...text(state)].length > 50,
  },
  {
    reportTo: 'application',
    error: 'invalid_request',
    description: 'code_challenge_method must be S256.',
    fails: ({ code_challenge: challenge, code_challenge_method: method }) =>
      (challenge !== undefined || method !== undefined) && method !== 'S256',
  },
  {
    reportTo: 'application',
    error: 'invalid_request',
    description: 'code_challenge must be a SHA-256 hash in base64url.',
    fails: ({ code_challenge: challenge, code_challenge_method: method }) =>
      method !== undefined && !/^[\w-]{43}$/.test(text(challenge)),
  },
]

const isRegistered = (uri: unknown, client: OauthClient | undefined): boolean =>
  typeof uri === 'string' && client !== undefined && client.redirect_uris.includes(uri)

export const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Returns the problem to report to the application; throws one that only the user may see. */
export function problemOf(query: Query, client: OauthClient | undefined): Problem | undefined {
  const failed = checks.find(({ fails }) => fails(query, client))
  if (failed?.reportTo === 'user') throw badRequest(failed.error, failed.description)
  return failed && { error: failed.error, error_description: failed.description }
}

/** PKCE: whether the verifier matches the challenge. */
export function isVerified(challenge: unknown, verifier: string | undefined): boolean {
  if (challenge === undefined) return verifier === undefined
  if (verifier === undefined || !/^[\w.~-]{43,128}$/.test(verifier)) return false
  return createHash('sha256').update(verifier).digest('base64url') === challenge
}

const badRequest = (code: string, message: string) => refusal('invalid', code, message)

export const invalidGrant = () =>
  refusal(
    'invalid',
    'invalid_grant',
    'The code or token is expired, was already used, or belongs to another application.',
  )

export const unknownApplication = () =>
  refusal('not_found', 'unknown_application', 'You are not connected to this application.')
