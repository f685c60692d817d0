import type { EmojiIdError } from '@emojid/core'
import { showEmojiId } from '../../../../features/directory/pictures/pictures.ts'
import { type Html, html } from '../../../../platform/http/pages/html.ts'
import { searchFor, usableIn } from '../address.ts'
import { card, withArt } from '../card.ts'
import { texts } from './texts.ts'

const shownAtMost = 40

/** Marks the wrong emoji, and offers a search with the others. */
export function wrongEmojiPage(webUrl: string, text: string, error: EmojiIdError): string {
  const usable = usableIn(text)
  const { title, check, search, searchRest } = texts()
  const action = usable === '' ? search : searchRest(showEmojiId(usable, `${webUrl}/art`))
  return card(
    webUrl,
    title,
    html`<h1>${title}</h1>
${markOffending(webUrl, text, error)}
<p class="wrong">${withArt(webUrl, error.message)}</p>
<p>${check}</p>
<p class="actions"><a class="button" href="${searchFor(webUrl, usable)}">${action}</a></p>`,
  )
}

/** The text before the fault, the fault, and the text after it. */
function markOffending(
  webUrl: string,
  text: string,
  { position, offending }: EmojiIdError,
): Html | string {
  if (offending === '') return ''
  const characters = [...text]
  const before = characters.slice(0, position.codePoint).join('')
  const after = characters.slice(position.codePoint + [...offending].length)
  const rest = after.slice(0, shownAtMost).join('')
  const more = after.length > shownAtMost ? '…' : ''
  const show = (part: string): Html[] => withArt(webUrl, part)
  return html`<p class="big typed">${show(before)}<mark>${show(offending)}</mark>${show(rest)}${more}</p>`
}
