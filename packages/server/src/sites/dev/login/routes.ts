import { createHash, randomBytes } from 'node:crypto'
import { parseEmojiId } from '@emojid/core'
import cookies from '@fastify/cookie'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { showEmojiId } from '../../../features/directory/pictures/pictures.ts'
import { bindTo } from '../../../platform/bind.ts'
import { type Html, html, page } from '../../../platform/http/pages/html.ts'
import { hourSeconds } from '../../../platform/time.ts'
import { texts } from './texts.ts'

export type LoginOptions = {
  id: string
  client_secret: string
  webUrl: string
  authUrl: string
  apiUrl: string
}

const cookie = 'demo_app'
const attributes = { path: '/dev', httpOnly: true, sameSite: 'lax', maxAge: hourSeconds } as const
const random = () => randomBytes(16).toString('hex')
const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url')
const callbackOf = ({ webUrl }: LoginOptions) => `${webUrl}/dev/callback`

type Callback = { code?: string; state?: string; status?: string; iss?: string; error?: string }

/** A third-party application: it knows only the two endpoints and its secret. */
export async function serveLogin(app: FastifyInstance, options: LoginOptions): Promise<void> {
  const bind = bindTo(options)
  await app.register(cookies)
  app.get('/login', bind(beginLogin))
  app.get('/callback', bind(takeAnswer))
  app.get('/logged-in', bind(showLoggedIn))
}

async function beginLogin(options: LoginOptions, _request: FastifyRequest, reply: FastifyReply) {
  const [state, verifier] = [random(), random() + random()]
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: options.id,
    redirect_uri: callbackOf(options),
    scope: 'svc',
    state,
    code_challenge: challengeOf(verifier),
    code_challenge_method: 'S256',
  })
  reply.setCookie(cookie, `${state}.${verifier}`, attributes)
  return reply.redirect(`${options.authUrl}/authorize?${query}`)
}

async function takeAnswer(options: LoginOptions, request: FastifyRequest, reply: FastifyReply) {
  const { webUrl, authUrl } = options
  const query = request.query as Callback
  const [state = '', verifier = ''] = (request.cookies[cookie] ?? '').split('.')
  const { foreign, pending, failed, login } = texts()
  const show = (title: string, text: string | Html, next: Html | string, status = 200) =>
    send(reply.code(status), title, html`<p>${text}</p>${next}`)
  const loginLink = html`<p><a href="${webUrl}/dev/login">${login}</a></p>`
  if (!state || state !== query.state) return show(foreign.title, foreign.text, loginLink, 400)
  if (query.status === 'pending_magic_link') {
    return show(pending.title, pending.text(`${webUrl}/dev#messages`), '')
  }
  if (!query.code || query.iss !== authUrl) {
    return show(failed.title, failed.text(query.error ?? 'none'), loginLink)
  }
  const outcome = await exchangeCode(options, query.code, verifier).catch((error: Error) => error)
  if (outcome instanceof Error) return show(failed.title, outcome.message, loginLink, 400)
  // Keeps the code out of the address bar: reuse of a code revokes its grant.
  reply.setCookie(cookie, outcome.join(' '), attributes)
  return reply.redirect(`${webUrl}/dev/logged-in`)
}

/** Exchanges the code for the ids, server to server, so that the secret stays secret. */
async function exchangeCode(
  options: LoginOptions,
  code: string,
  code_verifier: string,
): Promise<string[]> {
  const { id: client_id, client_secret, authUrl, apiUrl } = options
  const redirect_uri = callbackOf(options)
  const form = { grant_type: 'authorization_code', code, redirect_uri, code_verifier }
  const answer = await fetch(`${authUrl}/token`, {
    method: 'POST',
    headers: { accept: 'application/json' },
    body: new URLSearchParams({ ...form, client_id, client_secret }),
  })
  const tokens = (await answer.json()) as { access_token?: string; error_description?: string }
  if (!tokens.access_token) throw new Error(tokens.error_description)
  const authorization = `Bearer ${tokens.access_token}`
  const ids = await fetch(`${apiUrl}/emoji_id`, { headers: { authorization } })
  return (await ids.json()) as string[]
}

async function showLoggedIn(
  { authUrl, webUrl }: LoginOptions,
  { cookies: jar }: FastifyRequest,
  reply: FastifyReply,
) {
  const ids = (jar[cookie] ?? '').split(' ').filter(isEmojiId)
  const { title, text, another } = texts().loggedIn
  const body = html`<p>${ids.map((id) => showEmojiId(id, `${authUrl}/art`))}</p>
<p>${text}</p>
<p><a href="${webUrl}/dev/login">${another}</a></p>`
  return send(reply, title, body)
}

const send = (reply: FastifyReply, title: string, body: Html) =>
  reply.type('text/html; charset=utf-8').send(page(title, body))

function isEmojiId(text: string): boolean {
  try {
    return parseEmojiId(text) !== undefined
  } catch {
    return false
  }
}
