import type { IncomingMessage } from 'node:http'
import { invalidRequest, refusal } from '../../errors.ts'

/** Requires one Host header and a percent-encoded UTF-8 target. */
export function assertProperRequest(
  { url = '', rawHeaders, httpVersion }: IncomingMessage,
  { anyQuery = false } = {},
): void {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') {
    throw invalidRequest('This is not HTTP/1.1.')
  }
  const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host')
  if (hosts.length !== 1) {
    throw invalidRequest('The request must name exactly one host.')
  }
  assertDecodable(anyQuery ? (url.split('?', 1)[0] ?? '') : url)
}

/** Rejects paths and queries that are not percent-encoded UTF-8 or contain NUL. */
function assertDecodable(url: string): void {
  if (!url.includes('%')) return
  if (url.includes('%00')) throw urlError('The address contains a NUL character.')
  try {
    decodeURIComponent(url)
  } catch {
    throw urlError('The address is not percent-encoded UTF-8.')
  }
}

const urlError = (message: string) => refusal('invalid', 'invalid_address', message)
