import { type EmojiId, spokenNames } from '@emojid/core'
import { showEmojiId } from '../../../../features/directory/pictures/pictures.ts'
import { html } from '../../../../platform/http/pages/html.ts'
import { card } from '../card.ts'
import { texts } from './texts.ts'

/** A suspended id: nothing of its owner is shown. */
export function suspendedPage(webUrl: string, id: EmojiId, appealsEmail: string): string {
  const { title, text, owner } = texts()
  return card(
    webUrl,
    title,
    html`<p class="big">${showEmojiId(id, `${webUrl}/art`)}</p>
<h1>${title}</h1>
<p>${text(spokenNames(id))}</p>
<p>${owner} <a href="mailto:${appealsEmail}">${appealsEmail}</a></p>`,
  )
}
