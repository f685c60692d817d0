import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { EmojiIds } from '../../features/emoji-ids/index.ts'
import type { Partners } from '../../features/partners/index.ts'
import type { SiteSessions } from '../../features/site-sessions/index.ts'
import type { Sealer } from '../../platform/crypto/seal.ts'
import { withQuery } from '../../platform/http/with-query.ts'
import { cookieAttributes, member } from './own-pages.ts'
import { handleOf, startSession } from './session.ts'

export type VisitOptions = {
  partners: Partners
  emojiIds: EmojiIds
  webSessions: SiteSessions
  sealer: Sealer
}
type Visit = { organization_id: string; user_id: string; refresh_token: string }
type Path = { Params: { path: string } }

const visitCookie = '__Host-svc_visit'
const belongsTo = 'visit from a partner'
/** Long enough to buy an id and wait for its payment. */
const maxAge = 4 * 60 * 60
const actions = ['create', 'connect', 'manage']

/**
 * People whom a partner sent here, and the way back. The partner's token waits in a sealed cookie, so
 * that it survives a payment elsewhere and no script reads it; it goes back as it came.
 */
export function servePartnerVisits(app: FastifyInstance, options: VisitOptions): void {
  const { partners, emojiIds, webSessions, sealer } = options
  const keep = (reply: FastifyReply, visit: Visit) =>
    reply.setCookie(visitCookie, sealer.seal(JSON.stringify(visit), belongsTo), {
      ...cookieAttributes,
      maxAge,
    })
  const visitOf = ({ cookies }: FastifyRequest): Visit | undefined => {
    try {
      return JSON.parse(sealer.open(cookies[visitCookie] ?? '', belongsTo).toString())
    } catch {
      return undefined
    }
  }
  /** Only what is theirs is told to the partner. */
  const ownId = async (user_id: string, text: string): Promise<string | undefined> =>
    (await emojiIds.displayedOf([user_id])).get(user_id)?.find((display) => display === text)

  /** Without a token nobody is signed in, and none goes back: not that of an earlier visit either. */
  app.post<Path>('/partner/:path/visit', async (request, reply) => {
    const { organization_id } = await partners.branding(request.params.path)
    reply.clearCookie(visitCookie, cookieAttributes)
    const refresh_token = member(request, 'refresh_token')
    if (refresh_token === '') return { access_token: null, requires_2fa: null }
    const { handle, tokens } = await startSession(webSessions, request, reply, {
      ...{ refresh_token, takeOver: false },
    })
    const user_id = (await webSessions.find(handle))?.user.id ?? ''
    keep(reply, { organization_id, user_id, refresh_token })
    return tokens
  })

  app.post<Path>('/partner/:path/return', async (request) => {
    const { organization_id, return_link } = await partners.branding(request.params.path)
    const user_id = (await webSessions.find(handleOf(request)))?.user.id
    const visit = visitOf(request)
    // Nobody takes along what came with somebody else, to another partner or in the same browser.
    const isSame = visit?.organization_id === organization_id && visit.user_id === user_id
    const action = member(request, 'action')
    return {
      location: withQuery(return_link, {
        eid: user_id && (await ownId(user_id, member(request, 'eid'))),
        refresh_token: isSame ? visit.refresh_token : undefined,
        action: actions.includes(action) ? action : undefined,
      }),
    }
  })
}
