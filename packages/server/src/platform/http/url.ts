import type { IncomingMessage } from 'node:http'
import { invalidRequest, refusal } from '../errors.ts'

/** HTTP names the host, and says in percent-encoded UTF-8 what it asks for. */
export function assertProperRequest(
  { url = '', rawHeaders, httpVersion }: IncomingMessage,
  { anyQuery = false } = {},
): void {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') {
    throw invalidRequest('This is not HTTP/1.1.')
  }
  const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host')
  if (hosts.length !== 1) {
    throw invalidRequest('The request does not name one host.')
  }
  assertDecodable(anyQuery ? (url.split('?', 1)[0] ?? '') : url)
}

/** Every path and query is percent-encoded UTF-8 without NUL, or refused before anything reads it. */
function assertDecodable(url: string): void {
  if (!url.includes('%')) return
  if (url.includes('%00')) throw urlError('The address has a NUL character.')
  try {
    decodeURIComponent(url)
  } catch {
    throw urlError('The address is not percent-encoded UTF-8.')
  }
}

const urlError = (message: string) => refusal('invalid', 'invalid_address', message)
