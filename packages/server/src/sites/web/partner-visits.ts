import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { EmojiIds } from '../../features/directory/emoji-ids/emoji-ids.ts'
import type { SiteSessions } from '../../features/identity/sessions/sessions.ts'
import type { PartnerBranding } from '../../features/partners/branding/branding.ts'
import { bindTo } from '../../platform/bind.ts'
import type { Sealer } from '../../platform/crypto/seal.ts'
import { refusal } from '../../platform/errors.ts'
import { withQuery } from '../../platform/http/pages/links.ts'
import { hourSeconds } from '../../platform/time.ts'
import { cookieAttributes, member } from './own-pages.ts'
import { goOnAs, handleOf, visitCookie } from './session.ts'

export type VisitOptions = {
  branding: PartnerBranding
  emojiIds: EmojiIds
  webSessions: SiteSessions
  sealer: Sealer
  now: () => Date
}
type Visit = {
  organization_id: string
  /** That of the beginning: a later one must not receive the token of this visit. */
  return_link: string
  /** The account and token that the partner sent, if any. */
  user_id?: string
  refresh_token?: string
  /** A session that is unused until the person confirms the account. */
  unconfirmed?: string
  /** In milliseconds: a copied cookie expires with the original. */
  ends_at: number
}

const belongsTo = 'visit from a partner with its return link'
/** Long enough to buy an id and wait for its payment. */
const maxAge = 4 * hourSeconds
const actions = ['create', 'connect', 'manage']

/**
 * Visits from partners, and the way back. The partner's token waits in a sealed cookie: it survives
 * a payment on another site, and no script reads it. It returns unchanged while it works.
 */
export function servePartnerVisits(app: FastifyInstance, options: VisitOptions): void {
  const bind = bindTo(options)
  app.post('/partner/:path/visit', bind(beginVisit))
  app.post('/partner/:path/confirm', bind(confirmVisit))
  app.post('/partner/:path/return', bind(leadBack))
}

const pathOf = ({ params }: FastifyRequest): string => (params as { path: string }).path

/**
 * Names the account but changes no sign-in, since any page can link here (login CSRF). The session
 * starts now, because the partner may rotate the token before the confirmation. Without a token
 * none is returned, not even that of an earlier visit.
 */
async function beginVisit(options: VisitOptions, request: FastifyRequest, reply: FastifyReply) {
  const { branding, webSessions } = options
  const { organization_id, return_link } = await branding.loadBranding(pathOf(request))
  await forgetVisit(options, request, reply)
  const refresh_token = member(request, 'refresh_token')
  if (refresh_token === '') {
    keepVisit(options, reply, { organization_id, return_link })
    return { account: null }
  }
  const user_agent = request.headers['user-agent']
  const unconfirmed = await webSessions.continueAtSite(refresh_token, {
    user_agent,
    takeOver: false,
  })
  const session = await webSessions.findSiteSession(unconfirmed)
  if (!session) throw visitOver()
  const { id, email, alternate_id, email_verified_at } = session.user
  const begun = { organization_id, return_link }
  keepVisit(options, reply, { ...begun, user_id: id, refresh_token, unconfirmed })
  const is_confirmed = email !== null && email_verified_at !== null
  const has_address = email !== null
  return { account: { id, name: email ?? alternate_id ?? '', is_confirmed, has_address } }
}

/** The person confirms exactly the account that the page showed. */
async function confirmVisit(options: VisitOptions, request: FastifyRequest, reply: FastifyReply) {
  const { branding, webSessions } = options
  const { organization_id } = await branding.loadBranding(pathOf(request))
  const visit = readVisit(options, request)
  const isHere = visit?.organization_id === organization_id
  const isShown = visit?.user_id === member(request, 'user_id')
  if (!visit?.unconfirmed || !isHere || !isShown) throw visitOver()
  const { unconfirmed, ends_at: _, ...confirmed } = visit
  const tokens = await goOnAs(webSessions, request, reply, unconfirmed)
  keepVisit(options, reply, confirmed)
  return tokens
}

async function leadBack(options: VisitOptions, request: FastifyRequest) {
  const { branding, webSessions } = options
  const { organization_id, return_link: currentLink } = await branding.loadBranding(pathOf(request))
  const user_id = (await webSessions.findSiteSession(handleOf(request)))?.user.id
  const visit = readVisit(options, request)
  // A token goes only to its own partner, and only for its own account.
  const own = visit?.organization_id === organization_id ? visit : undefined
  const refresh_token =
    own?.refresh_token && own.user_id === user_id
      ? await webSessions.returnToken({
          handle: handleOf(request),
          refresh_token: own.refresh_token,
          organization_id,
          isConfirmed: own.unconfirmed === undefined,
        })
      : undefined
  const action = member(request, 'action')
  return {
    location: withQuery(own?.return_link ?? currentLink, {
      eid: user_id && (await findOwnId(options, user_id, member(request, 'eid'))),
      refresh_token,
      action: actions.includes(action) ? action : undefined,
    }),
  }
}

function keepVisit(
  { sealer, now }: VisitOptions,
  reply: FastifyReply,
  visit: Omit<Visit, 'ends_at'>,
): void {
  const ends_at = now().getTime() + maxAge * 1_000
  const sealedText = sealer.seal(JSON.stringify({ ...visit, ends_at }), belongsTo)
  reply.setCookie(visitCookie, sealedText, { ...cookieAttributes, maxAge })
}

function readVisit({ sealer, now }: VisitOptions, { cookies }: FastifyRequest): Visit | undefined {
  try {
    const visit: Visit = JSON.parse(sealer.open(cookies[visitCookie] ?? '', belongsTo).toString())
    return visit.ends_at > now().getTime() ? visit : undefined
  } catch {
    return undefined
  }
}

/** Closes an unconfirmed session when another visit replaces it. */
async function forgetVisit(options: VisitOptions, request: FastifyRequest, reply: FastifyReply) {
  const { unconfirmed } = readVisit(options, request) ?? {}
  if (unconfirmed) await options.webSessions.endSiteSession(unconfirmed)
  reply.clearCookie(visitCookie, cookieAttributes)
}

/** Reports an id to the partner only if the account owns it and it is not suspended. */
async function findOwnId(
  { emojiIds }: VisitOptions,
  user_id: string,
  text: string,
): Promise<string | undefined> {
  return (await emojiIds.findUsableIds(user_id)).find((display) => display === text)
}

const visitOver = () => {
  const advice = 'Go back to the app and open the link again.'
  return refusal('refused', 'replaced_visit', `Another visit replaced this one. ${advice}`)
}
