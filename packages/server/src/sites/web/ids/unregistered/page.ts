import { type EmojiId, spokenNames } from '@emojid/core'
import { showEmojiId } from '../../../../features/directory/pictures/pictures.ts'
import { html } from '../../../../platform/http/pages/html.ts'
import { searchFor } from '../address.ts'
import { card } from '../card.ts'
import { texts } from './texts.ts'

/** An unregistered id, with a link to buy it if it is for sale, or to search if that is unknown. */
export function unregisteredPage(
  webUrl: string,
  id: EmojiId,
  price: number | null | undefined,
): string {
  const { title: free, text, get, unavailable, unknown } = texts()
  const title = typeof price === 'number' ? free : unavailable.title
  const reason = price === null ? html`<p>${unavailable.text}</p>` : ''
  const action =
    price === undefined ? unknown.action : price === null ? unavailable.action : get(price)
  return card(
    webUrl,
    title,
    html`<p class="big">${showEmojiId(id, `${webUrl}/art`)}</p>
<h1>${title}</h1>
<p>${text(spokenNames(id))}</p>
${reason}<p class="actions"><a class="button" href="${searchFor(webUrl, id)}">${action}</a></p>`,
  )
}
