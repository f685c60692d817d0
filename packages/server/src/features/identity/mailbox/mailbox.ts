import { bindTo, bindUseCases } from '../../../platform/bind.ts'
import { addJob } from '../../../platform/jobs/jobs.ts'
import type { JobModule } from '../../../platform/jobs/worker.ts'
import type { Database } from '../../../tables.ts'
import type { Audit } from '../../operations/audit/audit.ts'
import type { Notifications } from '../../operations/notifications/notifications.ts'
import type { Accounts } from '../accounts/accounts.ts'
import type { Links } from '../links/links.ts'
import { choosePassword, setPasswordByGift, skipPassword } from './choose-password.ts'
import { changeEmail, confirmEmail, confirmMailbox } from './confirm-email.ts'
import { disavowNotice, disownAccount } from './disown-account.ts'
import { mailRequestedLink, mailTask, mailWelcome } from './mail-link.ts'
import { isRequestedBy, previewLink, previewNotice } from './preview-link.ts'
import { resetPassword } from './reset-password.ts'
import type * as rules from './rules.ts'
import type { MailRequest } from './rules.ts'
import { signInByLink, signInToSite } from './sign-in-by-link.ts'

export { readRedirect } from '../links/links.ts'

export type Deps = {
  db: Database
  accounts: Accounts
  links: Links
  notifications: Notifications
  audit: Audit
  now: () => Date
  authUrl: string
  webUrl: string
}

export type Mailbox = ReturnType<typeof createMailbox>

/** Emailed links: confirmed addresses, sign-ins, password resets. */
export function createMailbox(deps: Deps) {
  const bind = bindTo(deps)
  return {
    ...bindUseCases(deps, {
      requestLink,
      mailRequestedLink,
      mailWelcome,
      previewLink,
      isRequestedBy,
      signInByLink,
      choosePassword,
      skipPassword,
      confirmEmail,
      disownAccount,
      previewNotice,
      disavowNotice,
      changeEmail,
      resetPassword,
    }),
    confirmMailbox: bind(confirmMailbox),
    signInToSite: bind(signInToSite),
    setPasswordByGift: bind(setPasswordByGift),
  }
}

export const mailboxJobs = (mailbox: Mailbox): JobModule => ({
  tasks: { [mailTask]: (payload) => mailbox.mailRequestedLink(payload as MailRequest) },
})

/** Queues a job for every address, so that timing does not reveal which addresses have accounts. */
async function requestLink({ db }: Deps, request: rules.MailRequest): Promise<void> {
  await addJob(db, mailTask, request)
}
