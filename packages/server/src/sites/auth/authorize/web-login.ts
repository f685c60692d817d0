import type { FastifyReply, FastifyRequest } from 'fastify'
import { browserHash } from '../../../features/identity/login/login.ts'
import { field } from '../../../platform/http/pages/forms.ts'
import { browserOf, handleOf, keepBrowser, keepHandle } from '../cookies.ts'
import { type AuthorizeSite, originOf, queryOf, redirect, type Step } from './step.ts'

/** The answer of the web site in the address: a code, or none. */
const answerName = 'web_login'
const noWebLogin = 'none'

/** Adds the answer to the address of a request. */
const withWebLogin = (address: string, answer: string): string =>
  `${address}&${answerName}=${answer}`

/**
 * Asks the web site once whether this browser is signed in there. The selector follows in any case:
 * a link from another site never gives a code without a click.
 */
export async function continueWebLogin(
  { webUrl }: AuthorizeSite,
  { request, reply, browser, view }: Step,
  signIn: () => unknown,
) {
  const answer = field(request.query, answerName)
  if (answer === '' && isOpenedByPerson(request)) {
    keepBrowser(reply, browser)
    const { search } = new URL(view.at('/authorize'))
    const address = `${webUrl}/session/hand-over${search}&browser=${browserHash(browser)}`
    return redirect(reply, address)
  }
  return signIn()
}

/**
 * Uses up every presented code, whatever the state of the browser and of the request: a code for
 * another browser must not stay valid in the address. Then leads to an address without it.
 */
export const takeWebLogin =
  ({ authorization, authUrl }: AuthorizeSite) =>
  async (request: FastifyRequest, reply: FastifyReply) => {
    const answer = field(request.query, answerName)
    if (answer === '' || answer === noWebLogin) return
    const isKnown = (await authorization.findLogin(handleOf(request))) !== undefined
    const browser = isKnown ? undefined : browserOf(request)
    const handle = await authorization.acceptWebLogin(answer, browser, originOf(request))
    if (handle) keepHandle(reply, handle)
    const address = `${authUrl}/authorize?${queryOf(request.query as Record<string, unknown>)}`
    // The answer "none" keeps a browser without cookies from asking again and again.
    return redirect(reply, handle || isKnown ? address : withWebLogin(address, noWebLogin))
  }

/** A page load in a browser: no prefetch, no program. */
const isOpenedByPerson = ({ method, headers }: FastifyRequest): boolean =>
  method === 'GET' &&
  headers['sec-fetch-mode'] === 'navigate' &&
  headers['sec-fetch-dest'] === 'document' &&
  headers['sec-purpose'] === undefined
