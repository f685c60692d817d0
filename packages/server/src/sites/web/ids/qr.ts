import encodeQr from 'qr'
import { Html, html } from '../../../platform/http/html.ts'

/** Codes that are kept, since making one takes longer than all the rest of a page. */
const kept = new Map<string, Html>()
const keptAtMost = 1_000

/** Black on white in every look, with the quiet border that cameras need. */
export function qrCode(text: string, label: string): Html {
  const known = kept.get(text)
  const drawing = known ?? draw(text)
  kept.delete(text)
  kept.set(text, drawing)
  if (kept.size > keptAtMost) kept.delete(kept.keys().next().value ?? '')
  return html`<svg class="qr" role="img" aria-label="${label}" ${drawing}</svg>`
}

function draw(text: string): Html {
  const rows = encodeQr(text, 'raw', { ecc: 'medium', border: 4 })
  const path = rows.flatMap((row, y) => {
    const runs = row.map(Number).join('').matchAll(/1+/g)
    return [...runs].map(({ index, 0: run }) => `M${index} ${y}h${run.length}v1h-${run.length}z`)
  })
  return new Html(
    `viewBox="0 0 ${rows.length} ${rows.length}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${rows.length}v${rows.length}H0z"/><path d="${path.join('')}"/>`,
  )
}
