import { bindUseCases } from '../../../platform/bind.ts'
import type { JobModule } from '../../../platform/jobs/worker.ts'
import type { Transaction } from '../../../tables.ts'
import type { Deps } from './deps.ts'
import {
  findFormerMailboxes,
  isReserved,
  keepRemedies,
  useNotices,
  voidLaterRemedies,
  voidRemedies,
} from './former-mailboxes.ts'
import { issueLink } from './issue-link.ts'
import { purgeExpiredLinks } from './purge-links.ts'
import type { LinkPurpose } from './repository.ts'
import * as links from './repository.ts'
import { findOpenLink, peekLink, useLink } from './use-link.ts'
import { voidAllLinks, voidGiftLinks, voidLinks } from './void-links.ts'

export { emailedView, readRedirect } from './redirects.ts'
export type { LinkData, LinkPurpose, NoticeEvent } from './repository.ts'
export type { FormerMailbox } from './rules.ts'
export type { Link } from './use-link.ts'

export type Links = ReturnType<typeof createLinks>

/** One-time tokens: issue, peek, use once. */
export function createLinks(deps: Deps) {
  return {
    ...bindUseCases(deps, {
      issueLink,
      peekLink,
      findOpenLink,
      useLink,
      voidLinks,
      voidGiftLinks,
      voidAllLinks,
      findFormerMailboxes,
      isReserved,
      keepRemedies,
      useNotices,
      voidLaterRemedies,
      voidRemedies,
      purgeExpiredLinks,
    }),
    countIssuedSince: (trx: Transaction, purpose: LinkPurpose, user_id: string, since: Date) =>
      links.countSince(trx, user_id, purpose, since),
    countIssuedTo: links.countTo,
    /** Links hold mail addresses, so the deletion of an account removes them. */
    removeLinks: links.removeAll,
  }
}

export const linkJobs = (links: Links): JobModule => ({
  tasks: { 'links.purge': () => links.purgeExpiredLinks() },
  schedules: [{ task: 'links.purge', cron: '17 * * * *' }],
})
