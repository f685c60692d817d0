import { textLengths } from '@emojid/core'
import { html } from '../../../../platform/http/pages/html.ts'
import { type AuthorizeView, alert, hiddenToken, problemText } from '../parts.ts'
import { texts } from './texts.ts'

export function firstPasswordPage(
  { client, at, formToken }: AuthorizeView,
  { email, problem }: { email: string | null; problem: string | undefined },
) {
  const { title, signedIn, text, password, action, skip } = texts()
  const body = html`<p>${signedIn(email ?? '')}</p>
<p>${text}</p>
<form method="post" action="${at('/authorize/first_password')}">
${alert(problem)}
${hiddenToken(formToken)}
<input type="text" name="username" value="${email ?? ''}" autocomplete="username" hidden>
<label>${password(textLengths.password.minLength)}<input type="password" name="password" autocomplete="new-password" minlength="${textLengths.password.minLength}" required${problemText(problem)}></label>
<button>${action}</button>
</form>
<footer><p><a href="${at('/authorize')}">${skip(client.name)}</a></p></footer>`
  return { title, body }
}
