import { type EmojiIdError, emojiSlugs, parseShortname, spokenNames } from '@emojid/core'
import { showEmojiId } from '../../../../features/directory/pictures/pictures.ts'
import { html } from '../../../../platform/http/pages/html.ts'
import { longestTypedText, searchFor, usableIn } from '../address.ts'
import { card, withArt } from '../card.ts'
import { texts } from './texts.ts'

/** A text that is no name, with the closest names. */
export function wrongNamePage(webUrl: string, text: string, error: EmojiIdError): string {
  const ids = text.length > longestTypedText ? [] : idsLike(text, error.offending)
  const links = ids.map(
    (id) =>
      html`<li><a href="${searchFor(webUrl, id)}">${showEmojiId(id, `${webUrl}/art`)}<span>${spokenNames(id)}</span></a></li>`,
  )
  const { title, near, search } = texts()
  return card(
    webUrl,
    title,
    html`<h1>${title}</h1>
<p class="wrong">${withArt(webUrl, error.message)}</p>
${links.length > 0 ? html`<p>${near}</p><ul class="choices">${links}</ul>` : ''}
<p class="actions"><a class="button" href="${searchFor(webUrl, '')}">${search}</a></p>`,
  )
}

/** Ids after replacing the wrong part by an existing name. */
const idsLike = (text: string, offending: string): string[] =>
  namesLike(offending)
    .map((name) => {
      const parts = text.toLowerCase().split('.')
      const emojis = parts.map((part) => emojiOf(part === offending ? name : part))
      return usableIn(emojis.join(''))
    })
    .filter((id) => id !== '')

const emojiOf = (name: string): string => (emojiSlugs().includes(name) ? parseShortname(name) : '')

/** Names with the same beginning, the closest in length first. */
function namesLike(name: string): string[] {
  const start = name.slice(0, 3)
  if (start.length < 3) return []
  return emojiSlugs()
    .filter((slug) => slug.startsWith(start))
    .sort((a, b) => Math.abs(a.length - name.length) - Math.abs(b.length - name.length))
    .slice(0, 5)
}
