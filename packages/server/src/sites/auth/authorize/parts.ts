import type { OauthClient } from '../../../features/oauth/clients/clients.ts'
import { type Html, html } from '../../../platform/http/pages/html.ts'
import { texts } from './texts.ts'

/** Values that every page of an authorization request needs. */
export type AuthorizeView = {
  client: Pick<OauthClient, 'name' | 'logo'>
  /** The address of a form or page of the same request. */
  at: (path: string) => string
  /** The CSRF token of its forms. */
  formToken: string
  webUrl: string
}

/** The application and its request. */
export function application({ name, logo }: AuthorizeView['client'], wish: string): Html {
  const [initial = ''] = name
  const mark = logo
    ? html`<img src="${logo}" alt="" width="48" height="48">`
    : html`<span aria-hidden="true">${initial.toUpperCase()}</span>`
  return html`<div class="application">${mark}<p><strong>${name}</strong> ${wish}</p></div>`
}

export const wayBack = (
  { client, at }: Pick<AuthorizeView, 'client' | 'at'>,
  label = texts().back(client.name),
): Html => html`<p><a href="${at('/authorize/cancel')}">${label}</a></p>`

export const hiddenToken = (formToken: string): Html =>
  html`<input type="hidden" name="form_token" value="${formToken}">`

export const alert = (problem: string | undefined): Html | string =>
  problem ? html`<p class="wrong" id="problem" role="alert">${problem}</p>` : ''

/** Attributes of the invalid field. */
export const problemText = (problem: string | undefined): Html | string =>
  problem ? html` aria-invalid="true" aria-describedby="problem"` : ''

/** Signs out, for a person who sees another account signed in. */
export const leaveForm = (
  { at, formToken }: Pick<AuthorizeView, 'at' | 'formToken'>,
  look: 'plain' | 'second' = 'plain',
): Html => html`<form method="post" action="${at('/authorize/leave')}">
${hiddenToken(formToken)}<button class="${look}">${texts().leave}</button>
<p class="quiet">${texts().leaveHint}</p></form>`
