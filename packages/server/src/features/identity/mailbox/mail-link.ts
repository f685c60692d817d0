import { transact } from '../../../platform/database/database.ts'
import type { Transaction } from '../../../tables.ts'
import type { User } from '../accounts/index.ts'
import type { Deps } from './deps.ts'
import * as rules from './rules.ts'

const templates = {
  magic_link: 'magic_link',
  confirm_email: 'confirm_email',
  reset_password: 'password_reset',
  recover_factor: 'factor_recovery',
} as const

export const mailTask = 'mailbox.mail'

type Wanted = Pick<rules.MailRequest, 'redirect' | 'application'>

/** Mails the requested link, if the account exists and got few such mails lately. */
export async function mailRequestedLink(
  deps: Deps,
  { kind, email, user_id, ...wanted }: rules.MailRequest,
): Promise<void> {
  const { db, accounts, now, links } = deps
  await transact(db, async (trx) => {
    const found = email
      ? await accounts.findByEmail(email, trx)
      : user_id && (await accounts.findAccount(user_id, trx))
    const user = found && (await accounts.findAccountToChange(trx, found.id))
    if (!user) return
    const purpose = rules.mailFor(kind, user)
    if (!purpose || user.email === null) return
    const since = new Date(now().getTime() - rules.mailsWithinMs)
    const mailed = await links.countIssuedTo(trx, purpose, user.email, since)
    if (mailed >= rules.mailsAtMost) return
    await mailLink(deps, trx, { ...user, email: user.email }, purpose, wanted)
  })
}

/**
 * The first mail of a new account. An account that an operator activated gets it too, so that the
 * owner of the mailbox can disown it.
 */
export async function mailWelcome(
  deps: Deps,
  trx: Transaction,
  user: User,
  { isActivated: isMade }: { isActivated: boolean },
) {
  const { now, links } = deps
  const purpose = rules.mailFor('sign_in', user) ?? 'confirm_email'
  if (user.email === null) return
  const since = new Date(now().getTime() - rules.welcomesWithinMs)
  const mailed = await links.countIssuedTo(trx, purpose, user.email, since)
  if (!isMade && mailed >= rules.mailsAtMost) throw rules.tooManyMails()
  await mailLink(deps, trx, { ...user, email: user.email }, purpose, { isMade })
}

/** The link by which the owner of a mailbox disowns an account. */
async function disavowLink(
  { links, authUrl }: Deps,
  trx: Transaction,
  { id, email }: User & { email: string },
) {
  const { token } = await links.issueLink(trx, 'confirm_email', id, { email })
  return `${authUrl}/confirm_email?token=${token}`
}

async function mailLink(
  deps: Deps,
  trx: Transaction,
  user: User & { email: string },
  purpose: keyof typeof templates,
  { redirect, application, isMade }: Wanted & { isMade?: boolean } = {},
) {
  const { links, authUrl, notifications, audit } = deps
  const isSignIn = purpose === 'magic_link'
  const data = {
    email: user.email,
    ...(redirect ? { redirect } : {}),
    ...(application && isSignIn ? { browser: application.browser } : {}),
  }
  const { token, valid_minutes } = await links.issueLink(trx, purpose, user.id, data)
  const name = isSignIn ? 'refresh_token' : 'token'
  const more = application && isSignIn ? `&${application.query}` : ''
  const params = { link: `${authUrl}/${purpose}?${name}=${token}${more}`, valid_minutes }
  const to = user.email
  if (isSignIn) {
    const more = {
      ...(application ? { application: application.name } : {}),
      ...(user.email_verified_at ? {} : { confirms: true as const }),
      ...(isMade ? { not_me: await disavowLink(deps, trx, user) } : {}),
    }
    await notifications.queueMail(trx, { to, template: purpose, params: { ...params, ...more } })
  } else {
    const template = templates[purpose]
    const more = {
      ...(isMade ? { is_made: true as const } : {}),
      ...(user.password_hash === null ? { has_none: true as const } : {}),
    }
    await notifications.queueMail(trx, { to, template, params: { ...params, ...more } })
  }
  await audit.writeEntry(trx, 'link.requested', { subject_id: user.id, details: { purpose } })
}
