import type { FastifyReply, FastifyRequest } from 'fastify'
import { html, page } from '../../../../platform/http/pages/html.ts'
import { dropRequest, requestOf } from '../../cookies.ts'
import { type AuthorizeSite, queryOf, redirect } from '../step.ts'
import { texts } from './texts.ts'

/**
 * Returns a person who left the selector to get an id. The request waits in a cookie, so that no link
 * can choose it, works once, and is checked again like a new one.
 */
export async function resumeRequest(
  { authUrl }: AuthorizeSite,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const query = queryOf(Object.fromEntries(new URLSearchParams(requestOf(request))))
  dropRequest(reply)
  if (query !== '') return redirect(reply, `${authUrl}/authorize?${query}`)
  const { title, body } = nothingToResumePage()
  return reply.code(404).type('text/html; charset=utf-8').send(page(title, body))
}

/** For a browser in which no application waits. */
function nothingToResumePage() {
  const { title, text } = texts()
  return { title, body: html`<p>${text}</p>` }
}
