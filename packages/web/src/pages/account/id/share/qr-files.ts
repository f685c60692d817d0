import encodeQr from 'qr'

const border = 4
const pixelsPerModule = 16

const rowsOf = (text: string): boolean[][] =>
  encodeQr(text, 'raw', { ecc: 'medium', border }) as boolean[][]

/** A code as an SVG file: black on white, with the quiet zone that cameras need. */
export function qrSvg(text: string): string {
  const rows = rowsOf(text)
  const path = rows.flatMap((row, y) =>
    row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')),
  )
  const size = rows.length
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${path.join('')}"/></svg>`
}

/** A code as a PNG file, large enough to print. */
export async function qrPng(text: string): Promise<Blob> {
  const rows = rowsOf(text)
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = rows.length * pixelsPerModule
  const drawing = canvas.getContext('2d')
  if (!drawing) throw new Error('This browser cannot draw.')
  drawing.fillStyle = '#fff'
  drawing.fillRect(0, 0, canvas.width, canvas.height)
  drawing.fillStyle = '#000'
  for (const [y, row] of rows.entries())
    for (const [x, isDark] of row.entries())
      if (isDark)
        drawing.fillRect(x * pixelsPerModule, y * pixelsPerModule, pixelsPerModule, pixelsPerModule)
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('No picture.'))), 'image/png')
  })
}
