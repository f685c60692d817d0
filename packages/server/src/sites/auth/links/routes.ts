import type { FastifyInstance } from 'fastify'
import { serveCancelChange } from './cancel-change/page.ts'
import { serveChangeEmail } from './change-email/page.ts'
import { serveConfirmEmail } from './confirm-email/page.ts'
import { serveEndInterest } from './end-interest/page.ts'
import { serveFirstPassword } from './first-password/page.ts'
import { serveKeepDelay } from './keep-delay/page.ts'
import type { LinkSite } from './link-page.ts'
import { serveNotMe } from './not-me/page.ts'
import { serveRecoverFactor } from './recover-factor/page.ts'
import { serveResetPassword } from './reset-password/page.ts'
import { serveSignInLink } from './sign-in/page.ts'
import { serveUndoChange } from './undo-change/page.ts'

/** The pages behind mailed links. Opening a link changes nothing; the button on its page does. */
export function serveLinkPages(app: FastifyInstance, site: LinkSite): void {
  serveSignInLink(app, site)
  serveFirstPassword(app, site)
  serveConfirmEmail(app, site)
  serveChangeEmail(app, site)
  serveNotMe(app, site)
  serveRecoverFactor(app, site)
  serveUndoChange(app, site)
  serveCancelChange(app, site)
  serveKeepDelay(app, site)
  serveEndInterest(app, site)
  serveResetPassword(app, site)
}
