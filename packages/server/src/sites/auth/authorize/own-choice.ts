import type { FastifyRequest } from 'fastify'
import { field } from '../../../platform/http/pages/forms.ts'
import type { AuthorizeView } from './parts.ts'

/** Only the selector's own links and fields carry this token. */
export const isFromSelector = ({ query }: FastifyRequest, { formToken }: AuthorizeView): boolean =>
  field(query, 'form_token') === formToken

/** Browsers set these headers; pages cannot forge them. */
export const isFromOwnPage = ({ headers }: FastifyRequest): boolean =>
  headers['sec-fetch-site'] === 'same-origin'

/**
 * True if the person chose the id on our own page, now or before. Another page that leads here
 * never counts, whatever the user agent claims.
 */
export async function isOwnChoice(
  request: FastifyRequest,
  view: AuthorizeView,
  isGranted: () => Promise<boolean>,
): Promise<boolean> {
  const { headers, method } = request
  if (method !== 'GET') return false
  const site = headers['sec-fetch-site']
  if (isFromSelector(request, view)) return true
  // A frame or an image request is invisible to the person.
  const isSeen = (headers['sec-fetch-dest'] ?? 'document') === 'document'
  return site !== 'cross-site' && isSeen && isGranted()
}
