// Guarantees of accounts, emails and logins under kill −9, without a mail server and at three times
// the capacity: npm run stress:accounts
// Shorter: npm run stress:accounts -- KILLS=10 ONLY=writes
// Timing checks (T01, T06, T16, R10): ONLY=timing,logins PAIRS=50 ROUNDS=1
import { measureMails, measureWithoutMailServer } from './account-mails.ts'
import { measureWrites } from './account-writes.ts'
import { measureLogins } from './login-load.ts'
import { measureTiming } from './login-timing.ts'
import { runParts, sizeOf } from './parts.ts'

const kills = sizeOf('KILLS', 100)
const mailKills = sizeOf('MAIL_KILLS', kills)
const secondsWithoutMail = sizeOf('SMTP_DOWN_SECONDS', 60)

await runParts('accounts', {
  writes: () => measureWrites(kills),
  mails: () => measureMails(mailKills),
  no_mail_server: () => measureWithoutMailServer(secondsWithoutMail),
  logins: measureLogins,
  timing: measureTiming,
})
