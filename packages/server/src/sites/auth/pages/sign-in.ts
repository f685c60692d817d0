import type { OauthClient } from '../../../features/oauth/clients/index.ts'
import { type Html, html } from '../../../platform/http/html.ts'

/** What every page of a request knows. */
export type Shown = {
  client: Pick<OauthClient, 'name' | 'logo'>
  /** The address of a form or page of the same request. */
  at: (path: string) => string
  /** What its forms carry. */
  formToken: string
  webUrl: string
}

/** Nobody has to stay. */
const wayBack = ({ client, at }: Pick<Shown, 'client' | 'at'>): Html =>
  html`<p><a href="${at('/authorize/cancel')}">Back to ${client.name}</a></p>`

/** What was tried, in which of the forms, and what to do about it. */
export type Tried = { form?: 'link' | 'password'; email?: string; problem?: string | undefined }

const hidden = (formToken: string): Html =>
  html`<input type="hidden" name="form_token" value="${formToken}">`

export const alert = (problem: string | undefined): Html | string =>
  problem ? html`<p class="wrong" id="problem" role="alert">${problem}</p>` : ''

/** What a field has that the problem is about. */
const wrong = (problem: string | undefined): Html | string =>
  problem ? html` aria-invalid="true" aria-describedby="problem"` : ''

/** Whom this is about. */
export function application({ name, logo }: Shown['client'], wish: Html): Html {
  const [initial = ''] = name
  const mark = logo
    ? html`<img src="${logo}" alt="" width="48" height="48">`
    : html`<span aria-hidden="true">${initial.toUpperCase()}</span>`
  return html`<div class="application">${mark}<p><strong>${name}</strong> ${wish}</p></div>`
}

/** Both ways are always offered, so that nothing tells which accounts exist. */
export function signInPage(
  { client, at, formToken, webUrl }: Shown,
  { form = 'link', email = '', problem }: Tried = {},
): Html {
  const problemOf = { link: '', password: '', [form]: problem }
  const lookOf = { link: 'second', password: 'second', [form]: '' }
  return html`${application(client, html`wants to know you by one of your emoji ids. Sign in to choose it.`)}
<form method="post" action="${at('/authorize/link')}" aria-labelledby="by-link">
<h2 id="by-link">With a link that we mail you</h2>
<p>For accounts without a password.</p>
${alert(problemOf.link)}
${hidden(formToken)}
<label>E-mail address<input type="email" name="email" value="${email}" autocomplete="email" required maxlength="254"${wrong(problemOf.link)}></label>
<button class="${lookOf.link}">Mail me a link</button>
</form>
<form method="post" action="${at('/authorize/password')}" aria-labelledby="by-password">
<h2 id="by-password">With your password</h2>
${alert(problemOf.password)}
${hidden(formToken)}
<label>E-mail address<input type="email" name="email" value="${email}" autocomplete="username" required maxlength="254"></label>
<label>Password<input type="password" name="password" autocomplete="current-password" required${wrong(problemOf.password)}></label>
<button class="${lookOf.password}">Sign in</button>
<p><a href="${webUrl}/sign-in">Forgot your password?</a></p>
</form>
<footer>
<p>${client.name} sees neither your e-mail address nor your password.</p>
<p><a href="${at('/authorize/cancel')}">Back to ${client.name} without signing in</a></p>
</footer>`
}

type Owed = { provider: string; problem?: string | undefined; sentTo?: string | undefined }

export function codePage(
  { client, at, formToken }: Shown,
  { provider, problem, sentTo }: Owed,
): Html {
  const isSms = provider === 'SMS'
  const mayHaveOne = !isSms || sentTo !== undefined || problem !== undefined
  const give = html`<form method="post" action="${at('/authorize/code')}">
${alert(problem)}
${hidden(formToken)}
<label>Code<input name="code" autocomplete="one-time-code" inputmode="text" autocapitalize="none" spellcheck="false" required maxlength="100"${wrong(problem)}></label>
<button class="${mayHaveOne ? '' : 'second'}">Go on</button>
</form>`
  const send = html`<form method="post" action="${at('/authorize/sms')}">
${hidden(formToken)}<button class="${mayHaveOne ? 'second' : ''}">${mayHaveOne ? 'Send me another code' : 'Send me a code'}</button></form>`
  return html`${application(client, html`waits until you are signed in.`)}
<p>${
    isSms
      ? 'Your account is protected by codes that we send to your phone.'
      : 'Your account is protected by the codes of your authenticator app.'
  } A backup code works too.</p>
${sentTo ? html`<p class="good" role="status">A code is on its way to the number that ends in ${sentTo}.</p>` : ''}
${isSms ? (mayHaveOne ? html`${give}${send}` : html`${send}${give}`) : give}
<p><a href="${lostFactor(at)}">Lost your device and backup codes?</a></p>
<footer>${leaveForm({ at, formToken })}${wayBack({ client, at })}</footer>`
}
/** A page of this site that no application has to do with. */
const lostFactor = (at: Shown['at']): string => at('/lost_factor').replace(/\?.*$/s, '')

/** For whoever finds somebody else signed in. */
export const leaveForm = ({
  at,
  formToken,
}: Pick<
  Shown,
  'at' | 'formToken'
>): Html => html`<form method="post" action="${at('/authorize/leave')}">
${hidden(formToken)}<button class="plain">Use another account</button></form>`

export const firstPasswordPage = (
  { client, at, formToken }: Shown,
  { email, problem }: { email: string | null; problem?: string | undefined },
): Html => html`<p>You are signed in as <strong>${email ?? ''}</strong>.</p>
<p>With a password you sign in without waiting for a mail. Sign-in links stop working then.</p>
<form method="post" action="${at('/authorize/first_password')}">
${alert(problem)}
${hidden(formToken)}
<input type="text" name="username" value="${email ?? ''}" autocomplete="username" hidden>
<label>New password, at least 8 characters<input type="password" name="password" autocomplete="new-password" minlength="8" required${wrong(problem)}></label>
<button>Set the password and go on</button>
</form>
<footer><p><a href="${at('/authorize')}">Go on to ${client.name} without a password</a></p></footer>`

export const openLinkPage = (
  { client, at, formToken }: Shown,
  { email, token }: { email: string | null; token: string },
): Html => html`${application(client, html`wants to know you by one of your emoji ids. Sign in to choose it.`)}
<p>You are about to sign in as <strong>${email ?? ''}</strong>.</p>
<form method="post" action="${at('/magic_link')}">
${hidden(formToken)}<input type="hidden" name="refresh_token" value="${token}">
<button>Sign in</button>
</form>
<footer><p>If you did not ask for this, close the page: nothing happens.</p>${wayBack({ client, at })}</footer>`

/** A way to a new link, from one that does not work any more. */
export const goneLinkPage = (
  problem: string,
  { client, at }: Shown,
): Html => html`${application(client, html`waits until you are signed in.`)}
<p>${problem}</p>
<p><a class="button" href="${at('/authorize')}">Sign in again</a></p>
<footer>${wayBack({ client, at })}</footer>`

/** For an operator without a second factor. */
export const heldUpPage = ({
  client,
  at,
  formToken,
  webUrl,
}: Shown): Html => html`${application(client, html`waits until you are signed in.`)}
<p>Administrators log in nowhere without a second factor. Set one up first, then come back.</p>
<p><a class="button" href="${webUrl}/account/security">Set up a second factor</a></p>
<form method="post" action="${at('/authorize/leave')}">${hidden(formToken)}<button class="second">Use another account</button></form>
<footer>${wayBack({ client, at })}</footer>`

/** A form that did not come from its page, or from a browser that has forgotten ours. */
export const foreignFormPage = ({
  client,
  at,
}: Shown): Html => html`${application(client, html`waits until you are signed in.`)}
<p>This form was not sent from its page, or your browser keeps no cookies. Nothing was done.</p>
<p><a class="button" href="${at('/authorize')}">Start again</a></p>
<footer>${wayBack({ client, at })}</footer>`
