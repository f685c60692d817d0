import type { FastifyRequest } from 'fastify'
import { field } from './forms.ts'
import type { Shown } from './pages/sign-in.ts'

/** The selector's own links and its field carry what no other page knows. */
export const isFromSelector = ({ query }: FastifyRequest, { formToken }: Shown): boolean =>
  field(query, 'form_token') === formToken

/** Chosen on our own page, by a program, or once before: never because another page led here. */
export async function isOwnChoice(
  request: FastifyRequest,
  shown: Shown,
  isGranted: () => Promise<boolean>,
): Promise<boolean> {
  const { headers, method } = request
  if (method !== 'GET') return false
  const site = headers['sec-fetch-site']
  // No page of ours leads here by what others wrote: their links to this site are not followed.
  if (site === 'same-origin' || isFromSelector(request, shown)) return true
  // Browsers that do not say where they come from say at least what they are.
  if (site === undefined) return !headers['user-agent']?.startsWith('Mozilla/')
  // Nor in a frame or as a picture, where the person sees nothing of it.
  const isSeen = (headers['sec-fetch-dest'] ?? 'document') === 'document'
  return site !== 'cross-site' && isSeen && isGranted()
}
