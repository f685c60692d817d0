import type { FastifyError } from 'fastify'
import { SealError } from '../crypto/seal.ts'
import { asServiceError } from '../database/database.ts'
import { type ErrorKind, invalidRequest, ServiceError } from '../errors.ts'

const statuses: Record<ErrorKind, number> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  in_flight: 409,
  outdated: 409,
  gone: 410,
  too_large: 413,
  refused: 422,
  second_factor: 424,
  limited: 429,
  // Unavailable For Legal Reasons (RFC 7725).
  suspended: 451,
  unavailable: 503,
}

export const statusOf = (kind: ErrorKind): number => statuses[kind]

/** The thrown value as a ServiceError; `undefined` for a bug of ours. */
export function toServiceError(thrownError: unknown): ServiceError | undefined {
  const error = asServiceError(thrownError)
  if (error instanceof ServiceError) return error
  if (error instanceof SealError) return new LockedError(error)
  const { code, statusCode, validation, validationContext } = error as Partial<FastifyError>
  if (validation) {
    const [first] = validation
    const path = first?.instancePath.slice(1).replaceAll('/', '.')
    const where = path || (validationContext === 'body' ? 'The body' : 'The address')
    const message = first ? inWords(where, first) : `${where} is wrong.`
    return invalidRequest(message)
  }
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new ServiceError('too_large', 'too_large_body', 'The body is too large.')
    case 'FST_ERR_BAD_URL':
      return new ServiceError(
        'invalid',
        'invalid_address',
        'The address is not percent-encoded UTF-8.',
      )
  }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return invalidRequest((error as Error).message)
  }
  return undefined
}

type Violation = { keyword: string; params: Record<string, unknown>; message?: string }

/** A schema violation as a sentence. */
function inWords(where: string, { keyword, params, message }: Violation): string {
  switch (keyword) {
    case 'required':
      return `${where === 'The body' || where === 'The address' ? '' : `${where}.`}${params['missingProperty']} is missing.`
    case 'enum':
      return `${where} must be one of ${(params['allowedValues'] as string[]).join(', ')}.`
    case 'type':
      return `${where} must be ${[params['type']].flat().map(named).join(' or ')}.`
    case 'format':
      return `${where} is not a valid ${params['format']}.`
    case 'pattern':
      return `${where} must be ${patternInWords(String(params['pattern']))}.`
    default:
      return `${where} ${message?.replace('NOT', 'not')}.`
  }
}

/** The formats behind the patterns of the schemas. A test checks that none is missing. */
export const patternWords: Record<string, string> = {
  '\\S': 'a text that is not blank',
  '^2[0-9]{3}-[0-9]{2}-[0-9]{2}$': 'a day such as 2026-03-01',
  '^[0-9a-fA-F]{64}$': '64 hex digits',
  '^[0-9a-f]{64}$': '64 hex digits in lower case',
  '^[1-9][0-9]{0,17}$': 'a number of at most 18 digits',
  '^[A-Za-z0-9_-]{4,64}$': '4 to 64 letters A to Z, digits, hyphens or underscores',
  '^([a-z0-9][a-z0-9-]{1,39})?$':
    '2 to 40 letters a to z, digits or hyphens, and not begin with a hyphen',
  '^[A-Za-z0-9$.+_-]{1,16}$': 'a ticker of 1 to 16 letters, digits or $ . + _ -',
  '^[A-Za-z0-9]{2,12}$': 'a network of 2 to 12 letters or digits',
  '^[A-Za-z0-9][A-Za-z0-9:._-]{0,31}$':
    '1 to 32 letters, digits or : . _ -, and begin with a letter or digit',
  '^[a-z0-9_.-]{1,60}$': '1 to 60 letters a to z, digits or _ . -',
  '^[a-z_.]+(,[a-z_.]+)*$': 'names of events, separated by commas',
}

/** The other patterns refuse hidden characters in names and reasons. */
const patternInWords = (pattern: string): string =>
  patternWords[pattern] ??
  'visible text without control characters or characters that change its direction'

const named = (type: unknown): string => `${/^[aeiou]/.test(String(type)) ? 'an' : 'a'} ${type}`

/** Needs an operator: the master key is missing, or the sealed data was changed. */
export class LockedError extends ServiceError {
  override readonly name = 'LockedError'
  constructor(cause: unknown) {
    super(
      'unavailable',
      'locked_away',
      'The service can’t read the data it needs. Contact the operators.',
      { cause },
    )
  }
}
