import type { FastifyReply, FastifyRequest } from 'fastify'
import type { EmojiIds } from '../../../features/directory/emoji-ids/emoji-ids.ts'
import type { Mailbox } from '../../../features/identity/mailbox/mailbox.ts'
import type { Authorization } from '../../../features/oauth/authorization/authorization.ts'
import {
  type AuthorizationRequest,
  type Grants,
  parameters,
} from '../../../features/oauth/grants/grants.ts'
import { ServiceError } from '../../../platform/errors.ts'
import { statusOf } from '../../../platform/http/faults.ts'
import { deviceOf } from '../../../platform/http/pages/cookies.ts'
import { field } from '../../../platform/http/pages/forms.ts'
import { type Html, page, pagePolicy } from '../../../platform/http/pages/html.ts'
import { browserOf, dropRequest, handleOf, keepBrowser, keepHandle, nameOf } from '../cookies.ts'
import { foreignFormPage } from './foreign-form/page.ts'
import type { AuthorizeView } from './parts.ts'

export type AuthorizeSite = {
  authUrl: string
  webUrl: string
  authorization: Authorization
  emojiIds: EmojiIds
  mailbox: Mailbox
  grants: Grants
}

/** The signed-in account of the browser. */
export type KnownLogin = NonNullable<Awaited<ReturnType<Authorization['findLogin']>>>

/** One request of a browser that an application sent here. */
export type Step = {
  authorizationRequest: AuthorizationRequest
  request: FastifyRequest
  reply: FastifyReply
  view: AuthorizeView
  handle: string
  /** The name of the browser, kept in a cookie with every page. */
  browser: string
  send: (view: View, status?: number) => unknown
  /** Evaluates the request again after a change. */
  restart: () => unknown
}

type View = { title: string; body: Html }

export type StepHandler = (site: AuthorizeSite, step: Step) => Promise<unknown>

/** Every step first checks the parameters that the application sent. */
export const takeStep =
  (site: AuthorizeSite, handler: StepHandler, implied = {}) =>
  async (request: FastifyRequest, reply: FastifyReply) => {
    const { authUrl, webUrl, authorization, grants } = site
    const query = { ...implied, ...(request.query as Record<string, unknown>) }
    const { request: authorizationRequest, problem } = await grants.readRequest(query)
    if (problem) return redirect(reply, grants.refuseRequest(authorizationRequest, problem))
    const browser = nameOf(request)
    const at = (path: string) => `${authUrl}${path}?${queryOf(query)}`
    const { client } = authorizationRequest
    const view = { client, at, formToken: authorization.formToken(browser), webUrl }
    const send = ({ title, body }: View, status = 200) => {
      if (status === 200) keepBrowser(reply, browser)
      return reply.code(status).type('text/html; charset=utf-8').send(page(title, body))
    }
    reply.header('content-security-policy', policyFor(authorizationRequest))
    if (request.method === 'POST' && !isOwnForm(site, request)) {
      return send(foreignFormPage(view), 403)
    }
    const restart = () => redirect(reply, at('/authorize'))
    const handle = handleOf(request)
    return handler(site, {
      authorizationRequest,
      request,
      reply,
      handle,
      browser,
      view,
      send,
      restart,
    })
  }

const isOwnForm = ({ authorization }: AuthorizeSite, request: FastifyRequest): boolean =>
  authorization.isFormToken(field(request.body, 'form_token'), browserOf(request))

/** Runs the step; on a refusal shows the page again with the reason. */
export async function orAgain(
  reply: FastifyReply,
  work: () => Promise<unknown>,
  sendPage: (refusal: { problem: string; status: number }) => unknown,
) {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ServiceError) || error.kind === 'unavailable') throw error
    const { message: problem, kind, details } = error
    if (details.retry_after_seconds) reply.header('retry-after', `${details.retry_after_seconds}`)
    return sendPage({ problem, status: statusOf(kind) })
  }
}

export const redirect = (reply: FastifyReply, address: string) =>
  reply.redirect(address, reply.request.method === 'POST' ? 303 : 302)

/** The network and device of a sign-in. */
export const originOf = (request: FastifyRequest) => ({
  address: request.ip,
  user_agent: request.headers['user-agent'],
  device: deviceOf(request),
})

/** Stores the new sign-in in this browser, signs out the previous one and drops its request. */
export async function replaceLogin(
  { authorization }: AuthorizeSite,
  { handle: before, reply }: Step,
  handle: string,
) {
  if (before) await authorization.signOut(before)
  dropRequest(reply)
  keepHandle(reply, handle)
}

/** The application's parameters, passed from page to page; a chosen id is not passed. */
export function queryOf(query: Record<string, unknown>): string {
  const entries = parameters.map((name) => [name, query[name]] as const)
  const present = entries.filter(
    (one): one is [(typeof one)[0], string] => typeof one[1] === 'string',
  )
  return new URLSearchParams(present).toString()
}

/**
 * Allows the logo of the application. There is no form-action, since browsers apply it to the
 * application's redirects as well.
 */
const policyFor = ({ client }: AuthorizationRequest): string =>
  pagePolicy({ forms: 'anywhere', images: client.logo ? [new URL(client.logo).origin] : [] })
