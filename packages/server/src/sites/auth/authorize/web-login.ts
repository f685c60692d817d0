import type { FastifyRequest } from 'fastify'
import { browserHash } from '../../../features/identity/login/index.ts'
import { field } from '../../../platform/http/forms.ts'
import { browserOf, keepBrowser, keepHandle } from '../cookies.ts'
import { type AuthorizeSite, originOf, redirect, type Step } from './step.ts'

/** The answer of the web site in the address: a code, or none. */
const answerName = 'web_login'
export const noWebLogin = 'none'

/** Adds the answer to the address of a request. */
export const withWebLogin = (address: string, answer: string): string =>
  `${address}&${answerName}=${answer}`

/**
 * Asks the web site once whether this browser is signed in there. The selector follows in any case:
 * a link from another site never gives a code without a click.
 */
export async function continueWebLogin(
  { authorization, webUrl }: AuthorizeSite,
  { request, reply, browser, view, restart }: Step,
  signIn: () => unknown,
) {
  const answer = field(request.query, answerName)
  if (answer === '' && isOpenedByPerson(request)) {
    keepBrowser(reply, browser)
    const { search } = new URL(view.at('/authorize'))
    const address = `${webUrl}/session/hand-over${search}&browser=${browserHash(browser)}`
    return redirect(reply, address)
  }
  const browserId = browserOf(request)
  if (answer === '' || answer === noWebLogin || !browserId) return signIn()
  const handle = await authorization.acceptWebLogin(answer, browserId, originOf(request))
  if (!handle) return signIn()
  keepHandle(reply, handle)
  return restart()
}

/** A page load in a browser: no prefetch, no program. */
const isOpenedByPerson = ({ method, headers }: FastifyRequest): boolean =>
  method === 'GET' &&
  headers['sec-fetch-mode'] === 'navigate' &&
  headers['sec-fetch-dest'] === 'document' &&
  headers['sec-purpose'] === undefined
