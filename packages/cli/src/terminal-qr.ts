import encodeQr from 'qr'
import type { Output } from './output.ts'

/**
 * Two rows of dots per line of text, black on white: cameras cannot read inverted codes. Without
 * colors the light dots are drawn, which suits dark terminals.
 */
export function terminalQr(text: string, out: Pick<Output, 'isColored' | 'blackOnWhite'>) {
  const rows = encodeQr(text, 'raw', { ecc: 'medium', border: 2 })
  const lines: string[] = []
  for (let y = 0; y < rows.length; y += 2) {
    const line = (rows[y] ?? []).map((isUpperDark, x) => {
      const isLowerDark = rows[y + 1]?.[x] ?? false
      return out.isColored ? block(isUpperDark, isLowerDark) : block(!isUpperDark, !isLowerDark)
    })
    lines.push(out.blackOnWhite(line.join('')))
  }
  return lines
}

function block(isUpperDrawn: boolean, isLowerDrawn: boolean): string {
  if (isUpperDrawn) return isLowerDrawn ? '█' : '▀'
  return isLowerDrawn ? '▄' : ' '
}
