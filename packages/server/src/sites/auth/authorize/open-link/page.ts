import { html } from '../../../../platform/http/pages/html.ts'
import { type AuthorizeView, application, hiddenToken, wayBack } from '../parts.ts'
import { texts as stepTexts } from '../texts.ts'
import { texts } from './texts.ts'

export function openLinkPage(
  { client, at, formToken }: AuthorizeView,
  { email, token }: { email: string | null; token: string },
) {
  const { title, text, action, closePage } = texts()
  const body = html`${application(client, stepTexts().signInToChoose)}
<p>${text(email ?? '')}</p>
<form method="post" action="${at('/magic_link')}">
${hiddenToken(formToken)}<input type="hidden" name="refresh_token" value="${token}">
<button>${action}</button>
</form>
<footer><p>${closePage}</p>${wayBack({ client, at })}</footer>`
  return { title, body }
}

/** Offers a new link in place of an expired one. */
export function expiredLinkPage({ client, at }: AuthorizeView, problem: string) {
  const { title, action } = texts().expired
  const body = html`${application(client, stepTexts().waits)}
<p>${problem}</p>
<p><a class="button" href="${at('/authorize')}">${action}</a></p>
<footer>${wayBack({ client, at })}</footer>`
  return { title, body }
}
