import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { EmojiIds } from '../../features/directory/emoji-ids/index.ts'
import type { Mailbox } from '../../features/identity/mailbox/index.ts'
import type { Authorization } from '../../features/oauth/authorization/index.ts'
import {
  type AuthorizationRequest,
  type Grants,
  parameters,
} from '../../features/oauth/grants/index.ts'
import { ServiceError } from '../../platform/errors.ts'
import { deviceOf, keepDevice } from '../../platform/http/device-cookie.ts'
import { type Html, page, pagePolicy } from '../../platform/http/html.ts'
import { statusOf } from '../../platform/http/pages.ts'
import { browserOf, dropHandle, handleOf, keepBrowser, keepHandle, nameOf } from './cookies.ts'
import { field, limited } from './forms.ts'
import { isFromOwnPage, isFromSelector, isOwnChoice } from './own-choice.ts'
import { selectorPage } from './pages/selector.ts'
import {
  codePage,
  firstPasswordPage,
  foreignFormPage,
  goneLinkPage,
  heldUpPage,
  openLinkPage,
  type Shown,
  signInPage,
  type Tried,
} from './pages/sign-in.ts'

export type AuthorizeOptions = {
  authUrl: string
  webUrl: string
  authorization: Authorization
  emojiIds: EmojiIds
  mailbox: Mailbox
  grants: Grants
}

type Handler = (step: Step) => Promise<unknown>
/** One request of a browser that an application sent here. */
type Step = {
  asked: AuthorizationRequest
  request: FastifyRequest
  reply: FastifyReply
  shown: Shown
  handle: string
  send: (title: string, body: Html, status?: number) => unknown
  /** Looks at the request anew, now that something has changed. */
  restart: () => unknown
}

const notYours = 'This is none of your emoji ids. Type it as it stands in your list.'
const denied = { error: 'access_denied', error_description: 'The person went back.' }

/** Logging in at applications: who it is, and by which id the application knows them. */
export function serveAuthorization(app: FastifyInstance, options: AuthorizeOptions) {
  const { authUrl, webUrl, authorization, emojiIds, mailbox, grants } = options
  const originOf = (request: FastifyRequest) => ({
    address: request.ip,
    user_agent: request.headers['user-agent'],
    device: deviceOf(request),
  })

  /** Nobody else stays known in this browser. */
  const keep = async ({ handle: before, reply }: Step, handle: string) => {
    if (before) await authorization.signOut(before)
    keepHandle(reply, handle)
  }

  /** Every step begins with the same checks of what the application sent, in its address. */
  const step =
    (handler: Handler, implied = {}) =>
    async (request: FastifyRequest, reply: FastifyReply) => {
      const query = { ...implied, ...(request.query as Record<string, unknown>) }
      const { request: asked, problem } = await grants.readRequest(query)
      if (problem) return redirect(reply, grants.refuseRequest(asked, problem))
      const browser = nameOf(request)
      const formToken = authorization.formToken(browser)
      const { client } = asked
      const at = (path: string) => `${authUrl}${path}?${queryOf(query)}`
      const shown = { client, at, formToken, webUrl }
      const send = (title: string, body: Html, status = 200) => {
        if (status === 200) keepBrowser(reply, browser)
        return reply.code(status).type('text/html; charset=utf-8').send(page(title, body))
      }
      reply.header('content-security-policy', policyFor(asked))
      const isFormToken = request.method === 'POST'
      if (
        isFormToken &&
        !authorization.isFormToken(field(request.body, 'form_token'), browserOf(request))
      ) {
        return send('Please start again', foreignFormPage(shown), 403)
      }
      return handler({
        asked,
        request,
        reply,
        handle: handleOf(request),
        shown,
        send,
        restart: () => redirect(reply, at('/authorize')),
      })
    }

  const showSignIn = ({ send, shown }: Step, tried: Tried = {}, status = 200) =>
    send('Log in with your emoji id', signInPage(shown, tried), status)

  app.get(
    '/authorize',
    step(async (current) => {
      const { asked, request, reply, handle, shown, send } = current
      const known = await authorization.findLogin(handle)
      if (!known) return showSignIn(current)
      const { user, owesCode, mayChoosePassword, isHeldUp } = known
      if (isHeldUp) return send('Set up a second factor', heldUpPage(shown), 403)
      const [provider = ''] = user.two_factor_auth
      if (owesCode) return send('Enter your code', codePage(shown, { provider }))
      const { svc } = asked
      const isGranted = () => grants.isGranted(asked, user.id, svc ?? '')
      const isOwn = svc !== undefined && (await isOwnChoice(request, shown, isGranted))
      const isTyped = isFromSelector(request, shown)
      // Another page must not learn whose an id is.
      const isTold = svc !== undefined && (isOwn || isFromOwnPage(request))
      const why = isTold ? await grants.explainRefusal(user, svc) : undefined
      if (why && !isTyped) return redirect(reply, grants.refuseRequest(asked, why))
      if (isOwn && !why) return redirect(reply, await grants.chooseId(asked, user, svc))
      const problem = why && notYours
      const ids = (await emojiIds.findDisplayedIds([user.id])).get(user.id) ?? []
      const choice = { email: user.email, ids, artUrl: `${authUrl}/art` }
      const title = ids.length > 0 ? 'Choose an emoji id' : 'No emoji id yet'
      const status = problem ? 422 : 200
      return send(title, selectorPage(shown, { ...choice, mayChoosePassword, problem }), status)
    }),
  )

  app.get(
    '/authorize/cancel',
    step(async ({ asked, reply }) => redirect(reply, grants.refuseRequest(asked, denied))),
  )

  app.post(
    '/authorize/link',
    { config: limited },
    step(async (current) => {
      const { asked, request, reply } = current
      const email = field(request.body, 'email').trim()
      const application = {
        name: asked.client.name,
        query: queryOf(request.query as Record<string, unknown>),
        browser: browserOf(request) ?? '',
      }
      return orAgain(
        reply,
        async () => {
          await authorization.requestLink(email, application)
          return redirect(reply, grants.pendingRedirect(asked))
        },
        ({ problem, status }) => showSignIn(current, { form: 'link', email, problem }, status),
      )
    }),
  )

  app.post(
    '/authorize/password',
    step(async (current) => {
      const { request, reply, restart } = current
      const email = field(request.body, 'email').trim()
      const password = field(request.body, 'password')
      return orAgain(
        reply,
        async () => {
          const origin = originOf(request)
          const { opened, device } = await authorization.signInByPassword(email, password, origin)
          await keep(current, opened)
          keepDevice(reply, device)
          return restart()
        },
        ({ problem, status }) => showSignIn(current, { form: 'password', email, problem }, status),
      )
    }),
  )

  /** What happens on the page that asks for a code; whoever is not known here begins anew. */
  const onCodePage = async (current: Step, work: () => Promise<unknown>) => {
    const { handle, restart, send, shown, reply } = current
    const known = await authorization.findLogin(handle)
    if (!known) return restart()
    const [provider = ''] = known.user.two_factor_auth
    return orAgain(reply, work, ({ problem, status }) =>
      send('Enter your code', codePage(shown, { provider, problem }), status),
    )
  }
  app.post(
    '/authorize/code',
    step((current) =>
      onCodePage(current, async () => {
        await authorization.giveCode(current.handle, field(current.request.body, 'code'))
        return current.restart()
      }),
    ),
  )
  app.post(
    '/authorize/sms',
    step((current) =>
      onCodePage(current, async () => {
        const { phone_last_digits: sentTo } = await authorization.sendCode(current.handle)
        const body = codePage(current.shown, { provider: 'SMS', sentTo })
        return current.send('Enter your code', body)
      }),
    ),
  )

  const firstPassword = async (current: Step, problem?: string, status = 200) => {
    const { handle, restart, send, shown } = current
    const known = await authorization.findLogin(handle)
    if (!known || known.owesCode || !known.mayChoosePassword) return restart()
    const { email } = known.user
    return send('Choose a password', firstPasswordPage(shown, { email, problem }), status)
  }
  app.get(
    '/authorize/first_password',
    step((current) => firstPassword(current)),
  )
  app.post(
    '/authorize/first_password',
    step(async (current) => {
      const { request, reply, handle, restart } = current
      const password = field(request.body, 'password')
      return orAgain(
        reply,
        async () => {
          const origin = originOf(request)
          await keep(current, await authorization.choosePassword(handle, password, origin))
          return restart()
        },
        ({ problem, status }) => firstPassword(current, problem, status),
      )
    }),
  )

  // Where a form was sent to is no page of its own: whoever opens it begins anew.
  for (const form of ['link', 'password', 'code', 'sms', 'leave']) {
    app.get(
      `/authorize/${form}`,
      step(async ({ restart }) => restart()),
    )
  }

  app.post(
    '/authorize/leave',
    step(async ({ handle, reply, restart }) => {
      await authorization.signOut(handle)
      dropHandle(reply)
      return restart()
    }),
  )

  /** A mailed link that an application is waiting for. Only the browser that asked goes on at once. */
  const openLink = async (current: Step, token: string) => {
    await keep(current, await authorization.signInByLink(token, originOf(current.request)))
    return current.restart()
  }
  const openOrAsk = async (current: Step) => {
    const { request, send, shown } = current
    if (request.method === 'POST') return openLink(current, field(request.body, 'refresh_token'))
    const token = field(request.query, 'refresh_token')
    const { email } = await mailbox.previewLink('magic_link', token)
    const { method, headers } = request
    // What a browser fetches in advance is opened by nobody.
    const isOpened = method === 'GET' && headers['sec-purpose'] === undefined
    const browser = isOpened ? browserOf(request) : undefined
    if (browser && (await authorization.isAskedBy(token, browser))) return openLink(current, token)
    return send('Sign in', openLinkPage(shown, { email, token }))
  }
  const link = step(
    (current) =>
      orAgain(
        current.reply,
        () => openOrAsk(current),
        ({ problem, status }) =>
          current.send('That link does not work', goneLinkPage(problem, current.shown), status),
      ),
    // A link says less than the request that led to it.
    { response_type: 'code' },
  )
  return { link }
}

/** Works, or shows the page again with what to do about it. */
async function orAgain(
  reply: FastifyReply,
  work: () => Promise<unknown>,
  again: (why: { problem: string; status: number }) => unknown,
) {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ServiceError) || error.kind === 'unavailable') throw error
    const { message: problem, kind, details } = error
    if (details.retry_after_seconds) reply.header('retry-after', `${details.retry_after_seconds}`)
    return again({ problem, status: statusOf(kind) })
  }
}

const redirect = (reply: FastifyReply, address: string) =>
  reply.redirect(address, reply.request.method === 'POST' ? 303 : 302)

/** The application's request as it goes on from page to page; a chosen id does not. */
function queryOf(query: Record<string, unknown>): string {
  const given = parameters.map((name) => [name, query[name]] as const)
  const kept = given.filter((one): one is [(typeof one)[0], string] => typeof one[1] === 'string')
  return new URLSearchParams(kept).toString()
}

/**
 * The logo of the application may be shown. Forms lead back to it, and from there to wherever it
 * redirects: browsers would hold them to a list along the whole way.
 */
const policyFor = ({ client }: AuthorizationRequest): string =>
  pagePolicy({ forms: 'anywhere', images: client.logo ? [new URL(client.logo).origin] : [] })
