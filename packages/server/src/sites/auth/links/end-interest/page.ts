import { html } from '../../../../platform/http/pages/html.ts'
import type { IdLink } from '../link-page.ts'
import { texts } from './texts.ts'

export const endInterestLink: IdLink = {
  path: 'end_interest',
  texts,
  async ask({ interests }, token) {
    const { emoji_id } = await interests.previewUnsubscribe(token)
    return { emoji_id, question: html`<p>${texts().question}</p>` }
  },
  act: ({ interests }, token) => interests.unsubscribe(token),
}
