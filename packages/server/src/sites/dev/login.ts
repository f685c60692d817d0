import { createHash, randomBytes } from 'node:crypto'
import { parseEmojiId } from '@emojid/core'
import cookies from '@fastify/cookie'
import type { FastifyInstance } from 'fastify'
import { showEmojiId } from '../../features/directory/pictures/index.ts'
import { type Html, html, page } from '../../platform/http/html.ts'
import { hourSeconds } from '../../platform/time.ts'

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

type Came = { code?: string; state?: string; status?: string; iss?: string; error?: string }

/** An application as others write it: it knows the two addresses and its secret, and nothing of us. */
export async function serveLogin(app: FastifyInstance, options: LoginOptions): Promise<void> {
  const { id: client_id, client_secret, webUrl, authUrl, apiUrl } = options
  const redirect_uri = `${webUrl}/dev/callback`
  await app.register(cookies)

  app.get('/login', async (_request, reply) => {
    const [state, verifier] = [random(), random() + random()]
    const query = new URLSearchParams({
      response_type: 'code',
      client_id,
      redirect_uri,
      scope: 'svc',
      state,
      code_challenge: challengeOf(verifier),
      code_challenge_method: 'S256',
    })
    reply.setCookie(cookie, `${state}.${verifier}`, attributes)
    return reply.redirect(`${authUrl}/authorize?${query}`)
  })

  /** What the code is good for: from server to server, where the secret stays. */
  const exchange = async (code: string, code_verifier: string): Promise<string[]> => {
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

  app.get<{ Querystring: Came }>('/callback', async ({ query, cookies: kept }, reply) => {
    const [state = '', verifier = ''] = (kept[cookie] ?? '').split('.')
    const show = (title: string, body: Html, status = 200) =>
      reply.code(status).type('text/html; charset=utf-8').send(page(title, body))
    const again = html`<p><a href="${webUrl}/dev/login">Log in with your emoji id</a></p>`
    if (!state || state !== query.state) {
      return show(
        'Demo App',
        html`<p>This answer is not to a question of this browser.</p>${again}`,
        400,
      )
    }
    if (query.status === 'pending_magic_link') {
      return show(
        'Check your mail',
        html`<p>Demo App waits until you open the link that was mailed to you. In this demonstration
mails are at the <a href="${webUrl}/dev#messages">development page</a>.</p>`,
      )
    }
    if (!query.code || query.iss !== authUrl) {
      return show('Not logged in', html`<p>The answer was: ${query.error ?? 'none'}.</p>${again}`)
    }
    const outcome = await exchange(query.code, verifier).catch((error: Error) => error)
    if (outcome instanceof Error) {
      return show('Not logged in', html`<p>${outcome.message}</p>${again}`, 400)
    }
    // Out of the address bar: a code that comes twice ends what it was good for.
    reply.setCookie(cookie, outcome.join(' '), attributes)
    return reply.redirect(`${webUrl}/dev/logged-in`)
  })
  app.get('/logged-in', async ({ cookies: kept }, reply) => {
    const ids = (kept[cookie] ?? '').split(' ')
    const body = html`<p>${ids.filter(isEmojiId).map((id) => showEmojiId(id, `${authUrl}/art`))}</p>
<p>Demo App knows you by this emoji id, and knows nothing else of you.</p>
<p><a href="${webUrl}/dev/login">Log in with another one</a></p>`
    return reply.type('text/html; charset=utf-8').send(page('Logged in', body))
  })
}

function isEmojiId(text: string): boolean {
  try {
    return parseEmojiId(text) !== undefined
  } catch {
    return false
  }
}
