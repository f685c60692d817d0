import type { FastifyError } from 'fastify'
import { asServiceError } from '../database/database.ts'
import { ServiceError } from '../errors.ts'

/** Whatever was thrown, as an outcome with a kind; `undefined` for a fault of our own. */
export function toServiceError(thrown: unknown): ServiceError | undefined {
  const error = asServiceError(thrown)
  if (error instanceof ServiceError) return error
  const { code, statusCode, validation, validationContext } = error as Partial<FastifyError>
  if (validation) {
    const [first] = validation
    const where = first?.instancePath.slice(1).replaceAll('/', '.') || validationContext
    return new ServiceError('invalid', 'invalid_request', `${where}: ${first?.message}.`)
  }
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new ServiceError('too_large', 'body_too_large', 'The body is larger than 1 MiB.')
    case 'FST_ERR_HANDLER_TIMEOUT':
      return new ServiceError('unavailable', 'timeout', 'This took too long. Try again shortly.', {
        retry_after_seconds: 1,
      })
    case 'FST_ERR_BAD_URL':
      return new ServiceError(
        'invalid',
        'invalid_address',
        'The address is not percent-encoded UTF-8.',
      )
  }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new ServiceError('invalid', 'invalid_request', (error as Error).message)
  }
  return undefined
}
