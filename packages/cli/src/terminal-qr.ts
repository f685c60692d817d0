import encodeQr from 'qr'

/**
 * Two rows of dots in one line of text, black on white: cameras do not read the other way round.
 * Without colors the light dots are drawn, which is right on dark terminals.
 */
export function terminalQr(text: string, isColored: boolean): string {
  const rows = encodeQr(text, 'raw', { ecc: 'medium', border: 2 })
  const lines: string[] = []
  for (let y = 0; y < rows.length; y += 2) {
    const line = (rows[y] ?? []).map((isUpperDark, x) => {
      const isLowerDark = rows[y + 1]?.[x] ?? false
      return isColored ? block(isUpperDark, isLowerDark) : block(!isUpperDark, !isLowerDark)
    })
    lines.push(isColored ? `\u001b[30;107m${line.join('')}\u001b[0m` : line.join(''))
  }
  return lines.join('\n')
}

function block(isUpperDrawn: boolean, isLowerDrawn: boolean): string {
  if (isUpperDrawn) return isLowerDrawn ? '█' : '▀'
  return isLowerDrawn ? '▄' : ' '
}
