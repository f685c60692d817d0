import { textLengths } from '@emojid/core'
import { html } from '../../../../platform/http/pages/html.ts'
import {
  type AuthorizeView,
  alert,
  application,
  hiddenToken,
  problemText,
  wayBack,
} from '../parts.ts'
import { texts as stepTexts } from '../texts.ts'
import { texts } from './texts.ts'

/** The last attempt: its form, its email address and the problem. */
export type SignInTry = { form?: 'link' | 'password'; email?: string; problem?: string | undefined }

/** Both forms are always offered, so that the page does not reveal which accounts exist. */
export function signInPage(
  view: AuthorizeView,
  { form = 'link', email = '', problem }: SignInTry = {},
) {
  const { client, at, formToken, webUrl } = view
  const problemOf = { link: '', password: '', [form]: problem }
  const lookOf = { link: 'second', password: 'second', [form]: '' }
  const { title, link, password, unseen, back } = texts()
  const { email: emailLabel, signInToChoose } = stepTexts()
  const body = html`${application(client, signInToChoose)}
<form method="post" action="${at('/authorize/link')}" aria-labelledby="by-link">
<h2 id="by-link">${link.title}</h2>
<p>${link.text}</p>
${alert(problemOf.link)}
${hiddenToken(formToken)}
<label>${emailLabel}<input type="email" name="email" value="${email}" autocomplete="email" required maxlength="${textLengths.email.maxLength}"${problemText(problemOf.link)}></label>
<button class="${lookOf.link}">${link.action}</button>
</form>
<form method="post" action="${at('/authorize/password')}" aria-labelledby="by-password">
<h2 id="by-password">${password.title}</h2>
${alert(problemOf.password)}
${hiddenToken(formToken)}
<label>${emailLabel}<input type="email" name="email" value="${email}" autocomplete="username" required maxlength="${textLengths.email.maxLength}"></label>
<label>${password.field}<input type="password" name="password" autocomplete="current-password" required${problemText(problemOf.password)}></label>
<button class="${lookOf.password}">${password.action}</button>
<p><a href="${webUrl}/sign-in">${password.forgot}</a></p>
</form>
<footer>
<p>${unseen(client.name)}</p>
${wayBack(view, back(client.name))}
</footer>`
  return { title, body }
}
