// What accounts, mails and logins promise, under kill −9, without a mail server and at three times
// the load: npm run stress:accounts, or shorter: npm run stress:accounts -- KILLS=10 ONLY=writes
import { readFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { report } from '../../../benchmarks/report.ts'
import { measureMails, measureWithoutMailServer } from './account-mails.ts'
import type { Findings } from './account-stage.ts'
import { measureWrites } from './account-writes.ts'
import { measureLogins } from './login-load.ts'
import { measureTiming } from './login-timing.ts'

const asked = new Map(process.argv.slice(3).map((text) => text.split('=', 2) as [string, string]))
const kills = numberOf('KILLS', 100)
const mailKills = numberOf('MAIL_KILLS', kills)
const secondsWithoutMail = numberOf('SMTP_DOWN_SECONDS', 60)

const parts: Record<string, () => Promise<Findings>> = {
  writes: () => measureWrites(kills),
  mails: () => measureMails(mailKills),
  no_mail_server: () => measureWithoutMailServer(secondsWithoutMail),
  logins: measureLogins,
  timing: measureTiming,
}
const only = asked.get('ONLY')?.split(',') ?? Object.keys(parts)
const figures: Record<string, unknown> = {}
const broken: string[] = []
for (const [name, measure] of Object.entries(parts)) {
  if (!only.includes(name)) {
    figures[name] = kept()[name]
    continue
  }
  const measured = { measured_at: new Date().toISOString(), load_before: loadavg()[0]?.toFixed(2) }
  const found = await measure()
  figures[name] = { ...measured, ...found.figures }
  broken.push(...found.broken.slice(0, 10).map((sentence) => `${name}: ${sentence}`))
}

report(new URL('.', import.meta.url), 'accounts', figures)
if (broken.length > 0) {
  process.stderr.write(`Not as promised, or measured on a busy machine:\n${broken.join('\n')}\n`)
  process.exitCode = 1
}

function numberOf(name: string, fallback: number): number {
  const value = Number(asked.get(name) ?? fallback)
  if (!Number.isInteger(value) || value < 1) throw new Error(`${name} takes a whole number.`)
  return value
}

/** What the parts came to that are not measured this time. */
function kept(): Record<string, unknown> {
  return JSON.parse(readFileSync(new URL('results/accounts.json', import.meta.url), 'utf8'))
}
