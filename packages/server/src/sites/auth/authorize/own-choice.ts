import type { FastifyRequest } from 'fastify'
import { field } from '../forms.ts'
import type { Shown } from './parts.ts'

/** The selector's own links and its field carry what no other page knows. */
export const isFromSelector = ({ query }: FastifyRequest, { formToken }: Shown): boolean =>
  field(query, 'form_token') === formToken

/** Browsers say so, and no page can make them. */
export const isFromOwnPage = ({ headers }: FastifyRequest): boolean =>
  headers['sec-fetch-site'] === 'same-origin'

/** Chosen on our own page, or once before: never because another page led here, whatever the agent says of itself. */
export async function isOwnChoice(
  request: FastifyRequest,
  shown: Shown,
  isGranted: () => Promise<boolean>,
): Promise<boolean> {
  const { headers, method } = request
  if (method !== 'GET') return false
  const site = headers['sec-fetch-site']
  if (isFromSelector(request, shown)) return true
  // Nor in a frame or as a picture, where the person sees nothing of it.
  const isSeen = (headers['sec-fetch-dest'] ?? 'document') === 'document'
  return site !== 'cross-site' && isSeen && isGranted()
}
