import { transact } from '../../../platform/database/database.ts'
import type { Transaction } from '../../../tables.ts'
import type { User } from '../accounts/accounts.ts'
import type { Deps } from './mailbox.ts'
import * as mails from './mails.ts'
import * as rules from './rules.ts'

const kinds = {
  magic_link: 'magic_link',
  confirm_email: 'confirm_email',
  reset_password: 'password_reset',
  recover_factor: 'factor_recovery',
}

export const mailTask = 'mailbox.mail'

type LinkContext = Pick<rules.MailRequest, 'redirect' | 'application'>
/** `isSignIn`: a sign-in link was requested. */
type LinkOptions = LinkContext & { isByOperator?: boolean; isSignIn?: boolean }

/** Emails the requested link, if the account exists and the rate limit of its mailbox allows it. */
export async function mailRequestedLink(
  deps: Deps,
  { kind, email, user_id, ...context }: rules.MailRequest,
): Promise<void> {
  const { db, accounts, now, links } = deps
  await transact(db, async (trx) => {
    const account = email
      ? await accounts.findByEmail(email, trx)
      : user_id && (await accounts.findAccount(user_id, trx))
    const user = account && (await accounts.findAccountToChange(trx, account.id))
    if (!user) return
    const answer = rules.mailFor(kind, user)
    if (!answer || user.email === null) return
    const purpose = answer === 'has_password' ? 'password_hint' : answer
    const since = new Date(now().getTime() - rules.mailsWithinMs)
    const sentCount = await links.countIssuedTo(trx, purpose, user.email, since)
    if (sentCount >= rules.mailsAtMost) return
    const addressee = { ...user, email: user.email }
    if (answer === 'has_password') await mailPasswordHint(deps, trx, addressee, context)
    else await mailLink(deps, trx, addressee, answer, { ...context, isSignIn: kind === 'sign_in' })
  })
}

/**
 * For an account with a password, which no link signs in: leads to the sign-in and to a reset. Issues
 * no token for a reset, since any stranger can request this email: it would void the owner's link.
 */
async function mailPasswordHint(
  { links, authUrl, webUrl, notifications, audit }: Deps,
  trx: Transaction,
  { id, email }: User & { email: string },
  { redirect, application }: LinkContext,
) {
  const purpose = 'password_hint'
  await links.issueLink(trx, purpose, id, { email })
  const letter = mails.passwordHint({
    link: application
      ? `${authUrl}/authorize?${application.query}`
      : rules.passwordPage(webUrl, redirect),
    reset: rules.forgotPage(webUrl),
    application: application?.name,
  })
  await notifications.queueMail(trx, { to: email, kind: 'has_password', silent: true, letter })
  await audit.writeEntry(trx, 'link.requested', { subject_id: id, details: { purpose } })
}

/**
 * The first email of a new account. An account that an operator activated gets it too, so that the
 * owner of the mailbox can disown it.
 */
export async function mailWelcome(
  deps: Deps,
  trx: Transaction,
  user: User,
  { isActivated: isByOperator }: { isActivated: boolean },
) {
  const { now, links } = deps
  const purpose = user.password_hash === null ? 'magic_link' : 'confirm_email'
  if (user.email === null) return
  const since = new Date(now().getTime() - rules.welcomesWithinMs)
  const sentCount = await links.countIssuedTo(trx, purpose, user.email, since)
  if (!isByOperator && sentCount >= rules.mailsAtMost) throw rules.tooManyMails()
  await mailLink(deps, trx, { ...user, email: user.email }, purpose, { isByOperator })
}

/** The link with which the owner of a mailbox disowns an account. */
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
  purpose: keyof typeof kinds,
  { redirect, application, isByOperator = false, isSignIn: isForSignIn }: LinkOptions = {},
) {
  const { links, authUrl, webUrl, notifications, audit } = deps
  const to = user.email
  const isSignIn = purpose === 'magic_link'
  const data = {
    email: to,
    ...(redirect ? { redirect } : {}),
    ...(application && isSignIn ? { browser: application.browser } : {}),
  }
  const { token, valid_minutes } = await links.issueLink(trx, purpose, user.id, data)
  const name = isSignIn ? 'refresh_token' : 'token'
  const more = application && isSignIn ? `&${application.query}` : ''
  const params = { link: `${authUrl}/${purpose}?${name}=${token}${more}`, valid_minutes }
  const letters = {
    magic_link: async () =>
      mails.signInLink({
        ...params,
        application: application?.name,
        confirms: !user.email_verified_at,
        not_me: isByOperator ? await disavowLink(deps, trx, user) : undefined,
      }),
    confirm_email: () =>
      mails.addressConfirmation({
        ...params,
        is_made: isByOperator,
        reset: isForSignIn ? rules.forgotPage(webUrl) : undefined,
      }),
    reset_password: () => mails.passwordReset({ ...params, has_none: user.password_hash === null }),
    recover_factor: () => mails.factorRecovery(params),
  }
  const letter = await letters[purpose]()
  await notifications.queueMail(trx, { to, kind: kinds[purpose], silent: true, letter })
  await audit.writeEntry(trx, 'link.requested', { subject_id: user.id, details: { purpose } })
}
