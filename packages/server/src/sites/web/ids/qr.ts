import encodeQr from 'qr'
import { Html, html } from '../../../platform/http/pages/html.ts'

/** Cached: drawing a code takes longer than the rest of the page. */
const cache = new Map<string, Html>()
const cachedAtMost = 1_000

/** Black on white in both color schemes, with the quiet zone that cameras need. */
export function qrCode(text: string, label: string): Html {
  const cachedCode = cache.get(text)
  const drawing = cachedCode ?? draw(text)
  cache.delete(text)
  cache.set(text, drawing)
  if (cache.size > cachedAtMost) cache.delete(cache.keys().next().value ?? '')
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
