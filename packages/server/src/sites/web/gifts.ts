import type { FastifyInstance } from 'fastify'
import type { Transfers } from '../../features/directory/transfers/transfers.ts'
import type { SiteSessions } from '../../features/identity/sessions/sessions.ts'
import { member } from './own-pages.ts'
import { goOnAs } from './session.ts'

type GiftOptions = { transfers: Transfers; webSessions: SiteSessions }

/** Tokens have 256 bits; the limits bound the work, above all the hashing of passwords. */
const limit = (per_minute: number) => ({ config: { per_minute } })

/** The calls of the page behind the emailed link of a gift. */
export function serveGifts(app: FastifyInstance, { transfers, webSessions }: GiftOptions): void {
  app.post('/gift/look', limit(120), async (request) =>
    transfers.previewGift(member(request, 'token')),
  )
  app.post('/gift/join', limit(30), async (request, reply) => {
    const user_agent = request.headers['user-agent']
    const { opened, token } = await transfers.joinByGift(
      member(request, 'token'),
      member(request, 'password'),
      (trx, user) => webSessions.openSiteSession(trx, user.id, { user_agent }),
    )
    return { ...(await goOnAs(webSessions, request, reply, opened)), token }
  })
  app.post('/gift/decline', limit(120), async (request) => {
    await transfers.declineGift(member(request, 'token'))
    return {}
  })
}
