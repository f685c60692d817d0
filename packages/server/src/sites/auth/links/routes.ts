import type { FastifyInstance } from 'fastify'
import { cancelChangeLink } from './cancel-change/page.ts'
import { serveChangeEmail } from './change-email/page.ts'
import { serveConfirmEmail } from './confirm-email/page.ts'
import { endInterestLink } from './end-interest/page.ts'
import { serveFirstPassword } from './first-password/page.ts'
import { keepDelayLink } from './keep-delay/page.ts'
import { type LinkSite, serveIdLink } from './link-page.ts'
import { serveNotMe } from './not-me/page.ts'
import { serveRecoverFactor } from './recover-factor/page.ts'
import { serveResetPassword } from './reset-password/page.ts'
import { serveSignInLink } from './sign-in/page.ts'
import { undoChangeLink } from './undo-change/page.ts'

/** The pages behind emailed links. Opening a link changes nothing; the button on its page does. */
export function serveLinkPages(app: FastifyInstance, site: LinkSite): void {
  serveSignInLink(app, site)
  serveFirstPassword(app, site)
  serveConfirmEmail(app, site)
  serveChangeEmail(app, site)
  serveNotMe(app, site)
  serveRecoverFactor(app, site)
  serveResetPassword(app, site)
  for (const link of [undoChangeLink, cancelChangeLink, keepDelayLink, endInterestLink]) {
    serveIdLink(app, site, link)
  }
}
