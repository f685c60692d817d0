import type { OauthClient } from '../../../features/oauth-clients/index.ts'
import { type Html, html } from '../../../platform/http/html.ts'

/** What every page of a request knows. */
export type Shown = {
  client: Pick<OauthClient, 'name' | 'logo'>
  /** The address of a form or page of the same request. */
  at: (path: string) => string
  /** What its forms carry. */
  formToken: string
}

/** What was tried, in which of the forms, and what to do about it. */
export type Tried = { form?: 'link' | 'password'; email?: string; problem?: string | undefined }

const hidden = (formToken: string): Html =>
  html`<input type="hidden" name="form_token" value="${formToken}">`

const alert = (problem: string | undefined): Html | string =>
  problem ? html`<p class="wrong" role="alert">${problem}</p>` : ''

/** Whom this is about. */
export function application({ name, logo }: Shown['client'], wish: Html): Html {
  const [initial = ''] = name
  const mark = logo
    ? html`<img src="${logo}" alt="" width="48" height="48">`
    : html`<span aria-hidden="true">${initial.toUpperCase()}</span>`
  return html`<div class="application">${mark}<p><strong>${name}</strong> ${wish}</p></div>`
}

/** Both ways are always offered, so that nothing tells which accounts exist. */
export const signInPage = (
  { client, at, formToken }: Shown,
  { form, email = '', problem }: Tried = {},
): Html => html`${application(client, html`wants to know you by one of your emoji ids. Sign in first: it sees nothing of that.`)}
<form method="post" action="${at('/authorize/link')}" aria-labelledby="by-link">
<h2 id="by-link">With a link that we mail you</h2>
<p>For accounts without a password. It works for a few minutes.</p>
${form === 'link' ? alert(problem) : ''}
${hidden(formToken)}
<label>E-mail address<input type="email" name="email" value="${email}" autocomplete="email" required maxlength="254"></label>
<button>Mail me a link</button>
</form>
<form method="post" action="${at('/authorize/password')}" aria-labelledby="by-password">
<h2 id="by-password">With your password</h2>
${form === 'password' ? alert(problem) : ''}
${hidden(formToken)}
<label>E-mail address<input type="email" name="email" value="${email}" autocomplete="username" required maxlength="254"></label>
<label>Password<input type="password" name="password" autocomplete="current-password" required></label>
<button>Sign in</button>
</form>
<p><a href="${at('/authorize/cancel')}">Back to ${client.name} without signing in</a></p>`

type Owed = { provider: string; problem?: string | undefined; sentTo?: string | undefined }

export const codePage = (
  { client, at, formToken }: Shown,
  { provider, problem, sentTo }: Owed,
): Html => html`${application(client, html`waits until you are signed in.`)}
<p>${
  provider === 'SMS'
    ? 'Your account asks for a code that we send to your phone.'
    : 'Your account asks for the code that your authenticator app shows.'
} A backup code does too.</p>
${sentTo ? html`<p role="status">A code is on its way to the number that ends in ${sentTo}.</p>` : ''}
${alert(problem)}
<form method="post" action="${at('/authorize/code')}">
${hidden(formToken)}
<label>Code<input name="code" autocomplete="one-time-code" inputmode="text" autocapitalize="none" spellcheck="false" required maxlength="100"></label>
<button>Go on</button>
</form>
${
  provider === 'SMS'
    ? html`<form method="post" action="${at('/authorize/sms')}">${hidden(formToken)}
<button class="second">Send me a code</button></form>`
    : ''
}
${leaveForm({ at, formToken })}`

/** For whoever finds somebody else signed in. */
export const leaveForm = ({
  at,
  formToken,
}: Pick<
  Shown,
  'at' | 'formToken'
>): Html => html`<form method="post" action="${at('/authorize/leave')}">
${hidden(formToken)}<button class="second">Use another account</button></form>`

export const firstPasswordPage = (
  { at, formToken }: Shown,
  { email, problem }: { email: string | null; problem?: string | undefined },
): Html => html`<p>With a password you sign in without waiting for a mail. Sign-in links stop working then.</p>
${alert(problem)}
<form method="post" action="${at('/authorize/first_password')}">
${hidden(formToken)}
<input type="text" name="username" value="${email ?? ''}" autocomplete="username" hidden>
<label>New password<input type="password" name="password" autocomplete="new-password" minlength="8" required></label>
<button>Set the password and go on</button>
</form>
<p><a href="${at('/authorize')}">Go on without a password</a></p>`

export const openLinkPage = (
  { client, at, formToken }: Shown,
  { email, token }: { email: string | null; token: string },
): Html => html`${application(client, html`wants to know you by one of your emoji ids.`)}
<p>You are about to sign in as <strong>${email ?? ''}</strong>, to choose which one.</p>
<form method="post" action="${at('/magic_link')}">
${hidden(formToken)}<input type="hidden" name="refresh_token" value="${token}">
<button>Sign in</button>
</form>
<p>If you did not ask for this, close the page: nothing happens.</p>`

/** A way to a new link, from one that does not work any more. */
export const goneLinkPage = (problem: string, { client, at }: Shown): Html => html`<p>${problem}</p>
<p><a href="${at('/authorize')}">Sign in to ${client.name} again</a></p>`
