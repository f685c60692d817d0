import { html } from '../../../../platform/http/pages/html.ts'
import { type IdLink, listOf } from '../link-page.ts'
import { texts } from './texts.ts'

export const undoChangeLink: IdLink = {
  path: 'undo_change',
  texts,
  async ask({ edits }, token) {
    const { emoji_id, changes } = await edits.previewUndo(token)
    const { question, unneeded } = texts()
    const list = changes.length > 0 ? listOf(changes) : html`<p>${unneeded}</p>`
    return { emoji_id, question: html`<p>${question}</p>${list}` }
  },
  act: ({ edits }, token) => edits.undoEdit(token),
}
