import type { EmojiId } from '@emojid/core'
import { showEmojiId } from '../../../../features/directory/pictures/pictures.ts'
import { html } from '../../../../platform/http/pages/html.ts'
import { addressOf } from '../address.ts'
import { card } from '../card.ts'
import { texts } from './texts.ts'

/** A registered id with an unknown path below it. */
export function noSuchPathPage(webUrl: string, id: EmojiId): string {
  const { title, text, action } = texts()
  return card(
    webUrl,
    title,
    html`<p class="big">${showEmojiId(id, `${webUrl}/art`)}</p>
<h1>${title}</h1>
<p>${text}</p>
<p class="actions"><a class="button" href="${addressOf(webUrl, id)}">${action}</a></p>`,
  )
}
