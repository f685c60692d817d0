import { html, page } from '../../../platform/http/pages/html.ts'
import { texts } from './texts.ts'

export function partnerReturnPage(query: Record<string, unknown>): string {
  const entries = Object.entries(query)
  const rows = entries.map(
    ([name, value]) => html`<tr><th scope="row">${name}</th><td>${String(value)}</td></tr>`,
  )
  const { title, text, none } = texts()
  const body = html`<p>${text}</p>
      ${entries.length > 0 ? html`<table>${rows}</table>` : html`<p>${none}</p>`}`
  return page(title, body)
}
