import { appViews, partnerViews } from '@emojid/core'
import type { FastifyInstance } from 'fastify'
import type { AbuseReports } from '../../features/directory/abuse-reports/abuse-reports.ts'
import type { Transfers } from '../../features/directory/transfers/transfers.ts'
import type { CaptchaWidget } from '../../platform/captcha/captcha.ts'
import { countCosts } from '../../platform/http/limits.ts'
import { serveArt } from '../../platform/http/pages/art.ts'
import type { SecurityContact, SiteLinks } from '../../platform/http/pages/links.ts'
import { servePages } from '../../platform/http/pages/pages.ts'
import type { KnownMethods } from '../../platform/http/server/methods.ts'
import { createAppShell } from './app-shell.ts'
import { serveCrawlers } from './crawlers.ts'
import { serveForms } from './forms/routes.ts'
import { serveGifts } from './gifts.ts'
import { type HandOverOptions, passOnLogin, serveArrival, serveLeave } from './hand-over.ts'
import { serveFind } from './ids/find.ts'
import type { IdFeatures } from './ids/id.ts'
import { guessName, isName } from './ids/names.ts'
import { serveIdPages } from './ids/routes.ts'
import { serveOwnPages } from './own-pages.ts'
import { servePartnerVisits, type VisitOptions } from './partner-visits.ts'
import { type PasskeyOptions, servePasskeys } from './passkeys.ts'
import { serveReports } from './report/routes.ts'
import { serveSession } from './session.ts'
import { serveStart } from './start/routes.ts'

export type WebOptions = VisitOptions &
  PasskeyOptions &
  HandOverOptions & {
    guard: (app: FastifyInstance) => void
    methods: KnownMethods
    webUrl: string
    baseUrl: string
    authUrl: string
    ids: IdFeatures
    abuseReports: AbuseReports
    transfers: Transfers
    /** How long caches may keep a public lookup. */
    cacheControl: string
    appealsEmail: string
    /** The highest price of a free id, in cents. */
    freeCeiling: number
    /** The fee added to every price, in hundredths. */
    companyFee: number
    captcha: CaptchaWidget | undefined
    links: SiteLinks
    security: SecurityContact | undefined
    /** The seller on printed invoices. */
    company: { name: string; tax_id: string }
    /** The page that shows captured emails; empty outside of the demonstration. */
    mailPageUrl: string
  }

/** Views with content that the server writes. */
const paintedViews = ['/', '/sign-in', '/gift']

/** {web_url}: pages for people. */
export async function webSite(app: FastifyInstance, options: WebOptions) {
  const { guard, webUrl, baseUrl, authUrl, ids } = options
  const { cacheControl, appealsEmail } = options
  const methodsAt = (url: string) => (isName(url) ? ['GET', 'HEAD'] : options.methods.at(url))
  servePages(app, 'web', webUrl, methodsAt, [], guessName(webUrl))
  guard(app)
  serveArt(app)
  serveIdPages(app, { ...ids, webUrl, authUrl, cacheControl, appealsEmail })
  serveFind(app, webUrl)
  await app.register(async (pages) => {
    await serveOwnPages(pages, webUrl)
    countCosts(pages, 'web')
    serveSession(pages, options)
    serveGifts(pages, options)
    servePasskeys(pages, options)
    serveArrival(pages, options)
    servePartnerVisits(pages, options)
  })
  await app.register(passOnLogin, options)
  await app.register(serveLeave, options)
  await app.register(serveReports, options)
  const { freeCeiling, companyFee, captcha, mailPageUrl, links, company } = options
  const settings = { freeCeiling, companyFee, captcha, mailPageUrl, links, company }
  const shell = await createAppShell(app, { webUrl, baseUrl, authUrl }, settings)
  serveStart(app, { ...options, ...ids, shell })
  serveForms(app, { shell, links })
  serveCrawlers(app, options)
  // The app routes by itself.
  for (const view of appViews.filter((one) => !paintedViews.includes(one)))
    app.get(view, async (request, reply) => shell.send(request, reply))
  // The app shows the error for an unknown partner.
  for (const view of partnerViews.flatMap((one) => [one, `${one}/`])) {
    // Removes a token from a malformed query, so that it does not stay in the address bar of an
    // error page.
    const config = { any_query: true } as const
    app.get<{ Params: { path: string } }>(view, { config }, async (request, reply) =>
      shell.send(
        request,
        reply,
        (await options.branding.hasBranding(request.params.path)) ? 200 : 404,
      ),
    )
  }
}
