import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Authorization } from '../../features/oauth/authorization/authorization.ts'
import { refusal } from '../../platform/errors.ts'
import { countCosts } from '../../platform/http/limits.ts'
import { readCookies } from '../../platform/http/pages/cookies.ts'
import { field } from '../../platform/http/pages/forms.ts'
import { dropHandle, dropRequest, handleOf } from './cookies.ts'

type Options = { authorization: Authorization; webUrl: string }

const limit = { config: { per_minute: 120 } }

/**
 * For the pages of the web site alone, which may have another host: who is signed in here, a
 * one-use code to continue that session there, and the sign-out. The cookie comes along between
 * hosts of one site only.
 */
export async function serveHandOver(app: FastifyInstance, { authorization, webUrl }: Options) {
  const webOrigin = new URL(webUrl).origin
  await readCookies(app)
  app.addHook('onRequest', async ({ headers }: FastifyRequest, reply: FastifyReply) => {
    // Browsers send the origin with every POST.
    if (headers.origin !== webOrigin) throw foreignPage()
    reply.header('access-control-allow-origin', webOrigin)
    reply.header('access-control-allow-credentials', 'true')
    reply.header('vary', 'Origin')
  })
  countCosts(app, 'auth')
  app.post('/signed_in', limit, async (request) => {
    const login = await authorization.findLogin(handleOf(request))
    const isComplete = login && !login.owesCode
    return { name: isComplete ? (login.user.email ?? login.user.alternate_id) : null }
  })
  /** The web site signs this browser out at both sites. */
  app.post('/sign_out', limit, async (request, reply) => {
    await authorization.signOut(handleOf(request))
    dropHandle(reply)
    dropRequest(reply)
    return {}
  })
  app.post('/hand_over', limit, async (request) => {
    const browser = field(request.query, 'browser')
    const isHash = /^[\w-]{43}$/.test(browser)
    const handle = handleOf(request)
    return { token: isHash ? ((await authorization.passOnLogin(handle, browser)) ?? null) : null }
  })
}

const foreignPage = () => refusal('forbidden', 'foreign_page', 'Only our own pages can call this.')
