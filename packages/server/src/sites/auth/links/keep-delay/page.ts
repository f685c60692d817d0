import { html } from '../../../../platform/http/pages/html.ts'
import type { IdLink } from '../link-page.ts'
import { texts } from './texts.ts'

export const keepDelayLink: IdLink = {
  path: 'keep_delay',
  texts,
  async ask({ delays }, token) {
    const { emoji_id, at, hours } = await delays.previewLock(token)
    return { emoji_id, question: html`<p>${texts().text(hours, at)}</p>` }
  },
  act: ({ delays }, token) => delays.keepLockByLink(token),
}
