import type { OauthClient } from '../../../features/oauth/clients/index.ts'
import { type Html, html } from '../../../platform/http/html.ts'
import { texts } from './texts.ts'

/** Data of every page of a request. */
export type Shown = {
  client: Pick<OauthClient, 'name' | 'logo'>
  /** The address of a form or page of the same request. */
  at: (path: string) => string
  /** Hidden fields of its forms. */
  formToken: string
  webUrl: string
}

/** The application that asks, and what it wants. */
export function application({ name, logo }: Shown['client'], wish: string): Html {
  const [initial = ''] = name
  const mark = logo
    ? html`<img src="${logo}" alt="" width="48" height="48">`
    : html`<span aria-hidden="true">${initial.toUpperCase()}</span>`
  return html`<div class="application">${mark}<p><strong>${name}</strong> ${wish}</p></div>`
}

export const wayBack = (
  { client, at }: Pick<Shown, 'client' | 'at'>,
  label = texts().back(client.name),
): Html => html`<p><a href="${at('/authorize/cancel')}">${label}</a></p>`

export const hiddenToken = (formToken: string): Html =>
  html`<input type="hidden" name="form_token" value="${formToken}">`

export const alert = (problem: string | undefined): Html | string =>
  problem ? html`<p class="wrong" id="problem" role="alert">${problem}</p>` : ''

/** Attributes of the field that the problem is about. */
export const wrong = (problem: string | undefined): Html | string =>
  problem ? html` aria-invalid="true" aria-describedby="problem"` : ''

/** Signs out, for a person who finds another account signed in. */
export const leaveForm = (
  { at, formToken }: Pick<Shown, 'at' | 'formToken'>,
  look: 'plain' | 'second' = 'plain',
): Html => html`<form method="post" action="${at('/authorize/leave')}">
${hiddenToken(formToken)}<button class="${look}">${texts().leave}</button></form>`
