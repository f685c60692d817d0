import { html } from '../../../../platform/http/pages/html.ts'
import { type AuthorizeView, application, wayBack } from '../parts.ts'
import { texts as stepTexts } from '../texts.ts'
import { texts } from './texts.ts'

/** For a form sent by another page, or by a browser without our cookie. */
export function foreignFormPage({ client, at }: AuthorizeView) {
  const { title, text, action } = texts()
  const body = html`${application(client, stepTexts().waits)}
<p>${text}</p>
<p><a class="button" href="${at('/authorize')}">${action}</a></p>
<footer>${wayBack({ client, at })}</footer>`
  return { title, body }
}
