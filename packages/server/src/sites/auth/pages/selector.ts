import { showEmojiId, spokenNames } from '../../../features/directory/pictures/index.ts'
import { type Html, html } from '../../../platform/http/html.ts'
import { alert, application, leaveForm, type Shown } from './sign-in.ts'

/** Whoever has more types the one they want. */
const shownAtMost = 60

type Choice = {
  email: string | null
  /** In display format. */
  ids: readonly string[]
  artUrl: string
  mayChoosePassword: boolean
  /** What was wrong with the id that was typed. */
  problem: string | undefined
}

/** The person picks one id, and sees what that tells the application. */
export function selectorPage(shown: Shown, choice: Choice): Html {
  const { client, at, formToken, webUrl } = shown
  const { email, ids, artUrl, mayChoosePassword, problem } = choice
  const items = ids.slice(0, shownAtMost).map(
    (
      id,
    ) => html`<li><a href="${at('/authorize')}&svc=${encodeURIComponent(id)}&form_token=${formToken}" aria-label="Go on as ${spokenNames(id)}">
${showEmojiId(id, artUrl)}<span aria-hidden="true">${spokenNames(id)}</span></a></li>`,
  )
  const list = html`<ul class="choices">${items}</ul>
${ids.length > shownAtMost ? typedForm(shown) : ''}
<p class="quiet">${client.name} sees that this id is yours. It does not see your e-mail address or your
other ids, and it can change nothing.</p>`
  const none = html`<p>Get one, then come back to ${client.name}.</p>
<p><a class="button" href="${webUrl}">Get an emoji id</a></p>`
  const wish = ids.length > 0 ? 'one of your emoji ids. Which one?' : 'an emoji id.'
  return html`${application(client, html`wants to know you by ${wish}`)}
${alert(problem)}
${ids.length > 0 ? list : none}
<p><a href="${at('/authorize/cancel')}">Back to ${client.name} without choosing</a></p>
<footer>
<p>Signed in as <strong>${email ?? 'a user of an app'}</strong>.</p>
${mayChoosePassword ? html`<p><a href="${at('/authorize/first_password')}">Set a password</a>, and next time you need no mail.</p>` : ''}
${leaveForm(shown)}
</footer>`
}

/** For whoever has more ids than fit on a page. */
function typedForm({ at, formToken }: Shown): Html {
  const { origin, pathname, searchParams } = new URL(at('/authorize'))
  const members = [...searchParams, ['form_token', formToken] as const]
  return html`<form method="get" action="${origin}${pathname}">
${members.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<label>Another one of yours<input name="svc" autocomplete="off" required maxlength="100"></label>
<button class="second">Go on with this one</button>
</form>`
}
