import { html } from '../../../../platform/http/pages/html.ts'
import { type IdLink, listOf } from '../link-page.ts'
import { texts } from './texts.ts'

export const cancelChangeLink: IdLink = {
  path: 'cancel_change',
  texts,
  async ask({ delays }, token) {
    const { emoji_id, at, changes } = await delays.previewChange(token)
    return { emoji_id, question: html`<p>${texts().text(at)}</p>${listOf(changes)}` }
  },
  act: ({ delays }, token) => delays.cancelChangeByLink(token),
}
