import { html } from '../../../../platform/http/pages/html.ts'
import { type AuthorizeView, application, leaveForm, wayBack } from '../parts.ts'
import { texts as stepTexts } from '../texts.ts'
import { texts } from './texts.ts'

/** For an operator without a second factor. */
export function heldUpPage({ client, at, formToken, webUrl }: AuthorizeView) {
  const { title, text, action } = texts()
  const body = html`${application(client, stepTexts().waits)}
<p>${text}</p>
<p><a class="button" href="${webUrl}/account/security">${action}</a></p>
${leaveForm({ at, formToken }, 'second')}
<footer>${wayBack({ client, at })}</footer>`
  return { title, body }
}
