import { type Html, html } from '../../../platform/http/html.ts'
import { showEmojiId, spokenNames } from './emoji-id.ts'
import { application, leaveForm, type Shown } from './sign-in.ts'

/** Whoever has more types the one they want. */
const shownAtMost = 60

type Choice = {
  email: string | null
  /** In display format. */
  ids: readonly string[]
  artUrl: string
  webUrl: string
  mayChoosePassword: boolean
  /** The address that chooses an id. */
  choose: (id: string) => string
}

/** The person picks one id, and sees what that tells the application. */
export function selectorPage(shown: Shown, choice: Choice): Html {
  const { client, at } = shown
  const { email, ids, artUrl, webUrl, mayChoosePassword, choose } = choice
  const items = ids.slice(0, shownAtMost).map(
    (id) => html`<li><a href="${choose(id)}" aria-label="Go on as ${spokenNames(id)}">
${showEmojiId(id, artUrl)}<span aria-hidden="true">${spokenNames(id)}</span></a></li>`,
  )
  const list = html`<p>Choose the emoji id by which it knows you. It sees that this id is yours, and what everybody
can look up about it: not your address, not your other ids, and it changes nothing.</p>
<ul class="choices">${items}</ul>`
  const none = html`<p>You have no emoji id yet. <a href="${webUrl}">Get one</a>, then come back.</p>`
  return html`${application(client)}
${ids.length > 0 ? list : none}
<p><a href="${at('/authorize/cancel')}">Back to ${client.name} without choosing</a></p>
<footer>
<p>Signed in as <strong>${email ?? 'a user of an app'}</strong>.</p>
${mayChoosePassword ? html`<p><a href="${at('/authorize/first_password')}">Set a password</a>, and next time you need no mail.</p>` : ''}
${leaveForm(shown)}
</footer>`
}
