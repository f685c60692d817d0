import type { FastifyError } from 'fastify'
import { SealError } from '../crypto/seal.ts'
import { asServiceError } from '../database/database.ts'
import { invalidRequest, ServiceError } from '../errors.ts'

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
      return `${where} does not match the required format.`
    default:
      return `${where} ${message?.replace('NOT', 'not')}.`
  }
}

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
