import { ServiceError } from '../errors.ts'

/** Every path and query is percent-encoded UTF-8 without NUL, or refused before anything reads it. */
export function assertDecodable(url: string): void {
  if (!url.includes('%')) return
  if (url.includes('%00')) throw new UrlError('The address has a NUL character.')
  try {
    decodeURIComponent(url)
  } catch {
    throw new UrlError('The address is not percent-encoded UTF-8.')
  }
}

class UrlError extends ServiceError {
  override readonly name = 'UrlError'
  constructor(message: string) {
    super('invalid', 'invalid_address', message)
  }
}
