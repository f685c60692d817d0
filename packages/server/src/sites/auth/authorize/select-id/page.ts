import { spokenNames } from '@emojid/core'
import { showEmojiId } from '../../../../features/directory/pictures/pictures.ts'
import { type Html, html } from '../../../../platform/http/pages/html.ts'
import { type AuthorizeView, alert, application, leaveForm, wayBack } from '../parts.ts'
import { texts } from './texts.ts'

/** A person who has more ids types the one they want. */
const shownAtMost = 60

type Choice = {
  email: string | null
  /** In display format. */
  ids: readonly string[]
  artUrl: string
  mayChoosePassword: boolean
  /** The reason why the typed id was rejected. */
  problem: string | undefined
}

/** The person picks one id; the page says what the application learns. */
export function selectorPage(view: AuthorizeView, choice: Choice) {
  const { client, at } = view
  const { email, ids, mayChoosePassword, problem } = choice
  const { title, wish, none, back, signedInAs, setPassword } = texts()
  const hasIds = ids.length > 0
  const body = html`${application(client, hasIds ? wish : none.wish)}
${alert(problem)}
${hasIds ? choices(view, choice) : wayToIds(view)}
${wayBack(view, back(client.name))}
<footer>
<p>${signedInAs(email)}</p>
${mayChoosePassword ? html`<p>${setPassword(at('/authorize/first_password'))}</p>` : ''}
${leaveForm(view)}
</footer>`
  return { title: hasIds ? title : none.title, body }
}

function choices(view: AuthorizeView, { ids, artUrl }: Choice): Html {
  const { client, at, formToken } = view
  const { goOnAs, seen } = texts()
  const items = ids.slice(0, shownAtMost).map((id) => {
    const address = `${at('/authorize')}&svc=${encodeURIComponent(id)}&form_token=${formToken}`
    return html`<li><a href="${address}" aria-label="${goOnAs(spokenNames(id))}">
${showEmojiId(id, artUrl)}<span aria-hidden="true">${spokenNames(id)}</span></a></li>`
  })
  return html`<ul class="choices">${items}</ul>
${ids.length > shownAtMost ? typedForm(view) : ''}
<p class="quiet">${seen(client.name)}</p>`
}

function wayToIds({ client, webUrl }: AuthorizeView): Html {
  const { text, action } = texts().none
  return html`<p>${text(client.name)}</p>
<p><a class="button" href="${webUrl}/?for=application">${action}</a></p>`
}

/** For a person who has more ids than fit on a page. */
function typedForm({ at, formToken }: AuthorizeView): Html {
  const { origin, pathname, searchParams } = new URL(at('/authorize'))
  const members = [...searchParams, ['form_token', formToken] as const]
  const { field, action } = texts().typed
  return html`<form method="get" action="${origin}${pathname}">
${members.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<label>${field}<input name="svc" autocomplete="off" required maxlength="100"></label>
<button class="second">${action}</button>
</form>`
}
