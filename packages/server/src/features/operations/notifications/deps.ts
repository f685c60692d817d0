import type { Sealer } from '../../../platform/crypto/seal.ts'
import type { SiteLinks } from '../../../platform/http/site-links.ts'
import type { Log } from '../../../platform/log/log.ts'
import type { MailTransport } from '../../../platform/mail/mail.ts'
import type { SmsTransport } from '../../../platform/sms/sms.ts'
import type { Database } from '../../../tables.ts'

export type Deps = {
  db: Database
  sealer: Sealer
  /** Without `sms`, text messages cannot be queued. */
  transports: { mail: MailTransport; sms?: SmsTransport | undefined }
  /** Pages of the operator that every email links to. */
  links: SiteLinks
  now: () => Date
  log: Log
}
