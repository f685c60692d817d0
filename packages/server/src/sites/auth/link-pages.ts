import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Delays } from '../../features/directory/delays/index.ts'
import type { Edits } from '../../features/directory/edits/index.ts'
import { showEmojiId } from '../../features/directory/pictures/index.ts'
import type { ToldEvent } from '../../features/identity/links/index.ts'
import type { Mailbox } from '../../features/identity/mailbox/index.ts'
import type { Recovery } from '../../features/identity/recovery/index.ts'
import type { Carts } from '../../features/shop/carts/index.ts'
import type { Interests } from '../../features/shop/interests/index.ts'
import { ServiceError } from '../../platform/errors.ts'
import { type Html, html, page } from '../../platform/http/html.ts'
import { assertMailAddress } from '../../platform/mail/address.ts'
import { field, limited } from './forms.ts'

type Options = {
  mailbox: Mailbox
  carts: Carts
  delays: Delays
  edits: Edits
  interests: Interests
  recovery: Recovery
  authUrl: string
  webUrl: string
  /** Where mails are read that never leave this machine; empty anywhere but in the demonstration. */
  keptMailsUrl: string
  /** Opens a sign-in link that an application is waiting for. */
  openAtApplication: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
}

const ended =
  'All API keys, applications that you log in at with your emoji id, transfers that are not completed, changes of payment addresses and lower delay locks that were planned with your account, and mailed links to sign in, to set a password or to change the address end.'
const toldSentences: Record<ToldEvent, string> = {
  api_key: 'An API key was made for your account',
  delay_lock: 'The delay lock of one of your emoji ids was changed',
  member: 'Who is a member of your organization was changed',
  pubkey: 'A public key was added to your account',
  second_factor: 'A second factor was set up for your account',
  signature: 'A signature to mint one of your emoji ids was given',
  wallet: 'A wallet was connected to your account',
}
/** What ends besides, after a notice of this kind. */
const alsoGone: Partial<Record<ToldEvent, string>> = {
  delay_lock: 'The delay lock lasts as long as it did before.',
  member: 'If you still own the organization, that member is what they were before.',
  second_factor:
    'The second factor that was set up then is removed, and any that was set up since, with all backup codes.',
}
const inWords = (at: Date): string => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`

const isForApplication = ({ query }: FastifyRequest): boolean =>
  ['client_id', 'redirect_uri'].some((name) => name in (query as object))

/** The pages behind mailed links. Opening one never does anything: a button does. */
export function serveLinkPages(app: FastifyInstance, options: Options): void {
  const { mailbox, carts, delays, edits, interests, recovery } = options
  const { authUrl, webUrl, keptMailsUrl, openAtApplication } = options
  const artUrl = `${authUrl}/art`
  const send = (reply: FastifyReply, title: string, body: Html, status = 200) =>
    reply.code(status).type('text/html; charset=utf-8').send(page(title, body))
  const keptMails = keptMailsUrl
    ? html`<p>This is the demonstration: mails stay on this machine. <a href="${keptMailsUrl}">Read them here</a></p>`
    : ''
  const toStart = html`<p><a href="${webUrl}">Go to the start page</a></p>`
  const done = (reply: FastifyReply, title: string, text: string, next = toStart) =>
    send(reply, title, html`<p>${text}</p>${next}`)
  const button = (path: string, name: string, token: string, label: string, look = '') =>
    html`<form method="post" action="${authUrl}/${path}">
<input type="hidden" name="${name}" value="${token}"><button class="${look}">${label}</button></form>`

  type Asked = { token: string; email: string | null }
  const passwordForm = (path: string, { token, email }: Asked, label: string, problem?: string) =>
    html`<form method="post" action="${authUrl}/${path}">
<input type="hidden" name="token" value="${token}">
<input type="text" name="username" value="${email ?? ''}" autocomplete="username" hidden>
${problem ? html`<p class="wrong" id="problem" role="alert">${problem}</p>` : ''}
<label>New password<input type="password" name="password" autocomplete="new-password" minlength="8" required${problem ? html` aria-describedby="problem"` : ''}></label>
<button>${label}</button></form>`

  /** Lets people try another password; whatever else is wrong ends on a page of its own. */
  const retry = async (work: () => Promise<unknown>, again: (problem: string) => unknown) => {
    try {
      return await work()
    } catch (error) {
      const isPassword =
        error instanceof ServiceError && ['weak_password', 'too_long_password'].includes(error.code)
      if (!isPassword) throw error
      return again(error.message)
    }
  }

  /** Whoever comes with a link that does not work any more may ask for the next. */
  const orNewLink = async (reply: FastifyReply, work: () => Promise<unknown>) => {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'expired_link') throw error
      const body = html`<p>${error.message}</p>
<form method="post" action="${authUrl}/magic_link/again">
<label>E-mail address<input type="email" name="email" autocomplete="email" required maxlength="254"></label>
<button>Mail me a new link</button></form>`
      return send(reply, 'That link does not work', body, 422)
    }
  }

  app.get('/magic_link', { config: limited }, async (request, reply) => {
    if (isForApplication(request)) return openAtApplication(request, reply)
    return orNewLink(reply, async () => {
      const token = field(request.query, 'refresh_token')
      const { email } = await mailbox.previewLink('magic_link', token)
      const body = html`<p>You are about to sign in as <strong>${email ?? ''}</strong>.</p>
${button('magic_link', 'refresh_token', token, 'Sign in')}`
      return send(reply, 'Sign in', body)
    })
  })
  /** Whoever was buying something goes on with that. */
  const startAfter = async (token: string): Promise<string> => {
    const { user_id } = await mailbox.previewLink('first_password', token)
    return (await carts.hasItems(user_id)) ? '/cart' : '/'
  }
  const firstPassword = async (reply: FastifyReply, token: string, problem?: string) => {
    const { email, hasSecondFactor } = await mailbox.previewLink('first_password', token)
    const form = html`<p>Choose a password now, and you can log in without a mail from here on; sign-in
links stop working then.</p>
${passwordForm('first_password', { token, email }, 'Set the password and go on', problem)}`
    const skip = hasSecondFactor ? 'Go on' : 'Go on without a password'
    const body = html`<p>Your address is confirmed, and you are signed in as <strong>${email ?? ''}</strong>.</p>
${hasSecondFactor ? '' : form}
${button('first_password/skip', 'token', token, skip, hasSecondFactor ? '' : 'second')}`
    const title = hasSecondFactor ? 'You are signed in' : 'Choose a password'
    return send(reply, title, body, problem ? 422 : 200)
  }
  app.post('/magic_link', { config: limited }, async (request, reply) => {
    if (isForApplication(request)) return openAtApplication(request, reply)
    return orNewLink(reply, async () => {
      const token = await mailbox.signInByLink(field(request.body, 'refresh_token'))
      return reply.redirect(`${authUrl}/first_password?token=${token}`, 303)
    })
  })
  app.post('/magic_link/again', { config: limited }, async (request, reply) => {
    const email = field(request.body, 'email').trim()
    assertMailAddress(email)
    await mailbox.requestLink({ kind: 'sign_in', email })
    const text = 'If this address can have a link, it is on its way.'
    return done(reply, 'Look into your mails', text, html`${keptMails}${toStart}`)
  })
  app.get('/first_password', async (request, reply) =>
    firstPassword(reply, field(request.query, 'token')),
  )
  app.post('/first_password', async (request, reply) => {
    const token = field(request.body, 'token')
    const password = field(request.body, 'password')
    const start = await startAfter(token)
    return retry(
      async () => reply.redirect(await mailbox.choosePassword(token, password, start), 303),
      (problem) => firstPassword(reply, token, problem),
    )
  })
  app.post('/first_password/skip', async (request, reply) => {
    const token = field(request.body, 'token')
    return reply.redirect(await mailbox.skipPassword(token, await startAfter(token)), 303)
  })

  app.get('/confirm_email', async (request, reply) => {
    const token = field(request.query, 'token')
    const { email } = await mailbox.previewLink('confirm_email', token)
    const body = html`<p>Somebody registered here with <strong>${email ?? ''}</strong>. Was that you?</p>
${button('confirm_email', 'token', token, 'Yes, this is my address')}
${button('confirm_email/disown', 'token', token, 'This was not me', 'second')}
<p>If it was not you, their password and everything they set up here is removed.</p>`
    return send(reply, 'Confirm your address', body)
  })
  app.post('/confirm_email', async (request, reply) => {
    const { user_id, redirect } = await mailbox.confirmEmail(field(request.body, 'token'))
    const isBuying = await carts.hasItems(user_id)
    const path = redirect ?? (isBuying ? '/cart' : undefined)
    return done(
      reply,
      'Thank you',
      'Your address is confirmed.',
      path
        ? html`<p><a class="button" href="${webUrl}${path}">${isBuying ? 'Go on with your cart' : 'Go on'}</a></p>`
        : toStart,
    )
  })
  app.post('/confirm_email/disown', async (request, reply) => {
    await mailbox.disownAccount(field(request.body, 'token'))
    const text =
      'What somebody set up with your address is removed, and they are signed out. If you want the account for yourself, sign in with your address: we mail you a link.'
    return done(reply, 'Removed', text)
  })

  app.get('/change_email', async (request, reply) => {
    const token = field(request.query, 'token')
    const { email, isFirstAddress } = await mailbox.previewLink('change_email', token)
    const rest = isFirstAddress
      ? 'Sessions, wallets and public keys stay.'
      : 'Everybody is signed out of the account then, you too, and all wallets and public keys that were added are removed, since they may be of somebody who had the account before you.'
    const body = html`<p>Use <strong>${email ?? ''}</strong> for your account from now on?</p>
${button('change_email', 'token', token, 'Yes, use this address')}
<p>${ended} ${rest}</p>
<p>If you did not ask for this, close the page: nothing changes.</p>`
    return send(reply, 'Confirm your new address', body)
  })
  app.post('/change_email', async (request, reply) => {
    const { email, isFirst } = await mailbox.changeEmail(field(request.body, 'token'))
    const next = isFirst ? '' : ' Log in again with it.'
    return done(reply, 'Changed', `Your address is ${email} now.${next}`)
  })

  app.get('/not_me', { config: limited }, async (request, reply) => {
    const token = field(request.query, 'token')
    const { told, at, hasPassword } = await mailbox.previewNotice(token)
    const body = html`<p>${toldSentences[told]} on ${inWords(at)}. If that was not you, press the
button. Then:</p>
<ul><li>Everybody is signed out of your account, you too.</li>
<li>${ended}</li>
<li>Wallets, and public keys whose private half is elsewhere, that were added since then are removed,
except a key that an emoji id is bound to.</li>
${alsoGone[told] ? html`<li>${alsoGone[told]}</li>` : ''}
${hasPassword ? html`<li>Your password does not work any more. We mail you a link to set a new password.</li>` : ''}</ul>
${button('not_me', 'token', token, 'This was not me')}
<p>If it was you, close the page: nothing changes.</p>`
    return send(reply, 'Was this you?', body)
  })
  app.post('/not_me', { config: limited }, async (request, reply) => {
    const { hadPassword } = await mailbox.disavowNotice(field(request.body, 'token'))
    const next = hadPassword
      ? 'Your password does not work any more: a link to set a new one is on its way to you, and you can ask for another where you log in. If you use the same password for your mailbox, change it there too.'
      : 'To get in again, ask for a link where you log in.'
    const text = `Everybody is signed out of your account, and its API keys and applications have no access any more. ${next}`
    return done(reply, 'Done', text)
  })

  const lostForm = html`<p>If you still have a backup code, use it instead of the code. If you lost
both, your mailbox can remove the second factor. That takes three days, in which any code that is
given ends it, and two links that we mail you.</p>
<form method="post" action="${authUrl}/lost_factor">
<label>E-mail address<input type="email" name="email" autocomplete="email" required maxlength="254"></label>
<button>Mail me a link</button></form>`
  app.get('/lost_factor', async (_, reply) => send(reply, 'Lost your second factor?', lostForm))
  app.post('/lost_factor', { config: limited }, async (request, reply) => {
    const email = field(request.body, 'email').trim()
    assertMailAddress(email)
    await mailbox.requestLink({ kind: 'recover_factor', email })
    const text = 'If an account with this address has a second factor, a link is on its way.'
    return done(reply, 'Look into your mails', text, html`${keptMails}${toStart}`)
  })
  app.get('/recover_factor', { config: limited }, async (request, reply) => {
    const token = field(request.query, 'token')
    const { email } = await recovery.previewBegin(token)
    const body = html`<p>Remove the second factor of <strong>${email ?? ''}</strong> because you lost
it and its backup codes?</p>
<p>It takes three days, and then another link, which we mail you now. We tell your phone too, if codes
come by text message. Whoever gives a code meanwhile ends it.</p>
${button('recover_factor', 'token', token, 'Begin to wait')}`
    return send(reply, 'Remove a lost second factor', body)
  })
  app.post('/recover_factor', { config: limited }, async (request, reply) => {
    const end = await recovery.beginRecovery(field(request.body, 'token'))
    const text = `From ${inWords(end)} on, the link in the mail that comes now removes the second factor.`
    return done(reply, 'The wait has begun', text)
  })
  app.get('/recover_factor/finish', { config: limited }, async (request, reply) => {
    const token = field(request.query, 'token')
    const { email, from, isOver } = await recovery.previewFinish(token)
    const body = isOver
      ? html`<p>Remove the second factor of <strong>${email ?? ''}</strong> now? Everybody is signed
out, and logging in asks for no code any more.</p>
${button('recover_factor/finish', 'token', token, 'Remove the second factor')}`
      : html`<p>The second factor of <strong>${email ?? ''}</strong> can be removed from ${from} on.
Open this link again then.</p>${toStart}`
    return send(reply, isOver ? 'Remove a lost second factor' : 'Not yet', body)
  })
  app.post('/recover_factor/finish', { config: limited }, async (request, reply) => {
    await recovery.finishRecovery(field(request.body, 'token'))
    return done(reply, 'Removed', 'Your second factor is removed. Log in, and set up a new one.')
  })

  app.get('/undo_change', async (request, reply) => {
    const token = field(request.query, 'token')
    const { emoji_id, changes } = await edits.previewUndo(token)
    const what = changes.length
      ? html`<ul>${changes.map((one) => html`<li>${one}</li>`)}</ul>`
      : html`<p>By now they are: undoing it changes nothing.</p>`
    const body = html`<p>${showEmojiId(emoji_id, artUrl)}</p>
<p>Addresses behind this emoji id were changed. Put them back as
they were before that change? Everything else stays as it is.</p>
${what}
${button('undo_change', 'token', token, 'Undo the change')}
<p>If you made the change yourself, close the page: it stays.</p>`
    return send(reply, 'Undo a change', body)
  })
  app.post('/undo_change', async (request, reply) => {
    const emoji_id = await edits.undoEdit(field(request.body, 'token'))
    return done(
      reply,
      'Undone',
      `The addresses behind ${emoji_id} are as they were before that change. If somebody else made it, set a new password now.`,
    )
  })

  app.get('/cancel_change', async (request, reply) => {
    const token = field(request.query, 'token')
    const { emoji_id, at, changes } = await delays.previewChange(token)
    const body = html`<p>${showEmojiId(emoji_id, artUrl)}</p>
<p>Payment addresses behind this emoji id change on ${at}:</p>
<ul>${changes.map((one) => html`<li>${one}</li>`)}</ul>
${button('cancel_change', 'token', token, 'Cancel the change')}
<p>If you asked for the change yourself, close the page: it takes effect then.</p>`
    return send(reply, 'Cancel a change', body)
  })
  app.post('/cancel_change', async (request, reply) => {
    const emoji_id = await delays.cancelChangeByLink(field(request.body, 'token'))
    return done(
      reply,
      'Cancelled',
      `The payment addresses behind ${emoji_id} stay as they are. If somebody else asked for the change, set a new password now.`,
    )
  })

  app.get('/keep_delay', async (request, reply) => {
    const token = field(request.query, 'token')
    const { emoji_id, at, hours } = await delays.previewLock(token)
    const body = html`<p>${showEmojiId(emoji_id, artUrl)}</p>
<p>The delay lock of this emoji id is ${hours === 1 ? '1 hour' : `${hours} hours`}. On ${at} it becomes
shorter, or is switched off.</p>
${button('keep_delay', 'token', token, 'Keep it as it is')}
<p>If you asked for that yourself, close the page.</p>`
    return send(reply, 'Keep the delay lock', body)
  })
  app.post('/keep_delay', async (request, reply) => {
    const emoji_id = await delays.keepLockByLink(field(request.body, 'token'))
    return done(
      reply,
      'Kept',
      `The delay lock of ${emoji_id} stays as it is. If somebody else wanted to change it, set a new password now.`,
    )
  })

  app.get('/end_interest', async (request, reply) => {
    const token = field(request.query, 'token')
    const { emoji_id } = await interests.previewUnsubscribe(token)
    const body = html`<p>${showEmojiId(emoji_id, artUrl)}</p>
<p>You wanted to know when this emoji id becomes free. Take it off your list?</p>
${button('end_interest', 'token', token, 'End my interest')}`
    return send(reply, 'End an interest', body)
  })
  app.post('/end_interest', async (request, reply) => {
    const emoji_id = await interests.unsubscribe(field(request.body, 'token'))
    return done(reply, 'Ended', `You hear no more of ${emoji_id}.`)
  })

  const resetForm = (
    reply: FastifyReply,
    token: string,
    email: string | null,
    problem?: string,
  ) => {
    const body = html`<p>Choose a new password for <strong>${email ?? ''}</strong>. Every session of
the account ends. ${ended} Wallets and public keys that were added after the address was confirmed are
removed.</p>
${passwordForm('reset_password', { token, email }, 'Set the new password', problem)}`
    return send(reply, 'New password', body, problem ? 422 : 200)
  }
  app.get('/reset_password', async (request, reply) => {
    const token = field(request.query, 'token')
    return resetForm(reply, token, (await mailbox.previewLink('reset_password', token)).email)
  })
  app.post('/reset_password', async (request, reply) => {
    const token = field(request.body, 'token')
    const { email } = await mailbox.previewLink('reset_password', token)
    return retry(
      async () => {
        await mailbox.resetPassword(token, field(request.body, 'password'))
        return done(reply, 'Done', 'Your new password is set. Log in with it.')
      },
      (problem) => resetForm(reply, token, email, problem),
    )
  })
}
