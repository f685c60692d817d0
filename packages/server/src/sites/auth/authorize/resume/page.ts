import { html } from '../../../../platform/http/html.ts'
import { texts } from './texts.ts'

/** For a browser in which no application waits. */
export function nothingToResumePage() {
  const { title, text } = texts()
  return { title, body: html`<p>${text}</p>` }
}
