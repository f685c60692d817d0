// Helpers to build the page. User data is always text, never markup.
import encodeQr from 'qr'

export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) {
    if (key === 'onclick') made.addEventListener('click', value)
    else if (value !== undefined) made.setAttribute(key, value)
  }
  made.append(...children.filter((child) => child !== undefined))
  return made
}

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** An id as art of the directory, with one label, copied as text. */
export function emojiId(id) {
  const emojis = [...segmenter.segment(id)].map(({ segment }) => segment)
  const parts = emojis.map((emoji) => {
    const points = [...emoji.replace('\uFE0F', '')].map((part) => part.codePointAt(0).toString(16))
    const art = element('img', { src: `/art/${points.join('-')}.svg`, alt: '' })
    return element('span', { class: 'emoji' }, art, element('span', {}, emoji))
  })
  return element(
    'span',
    { class: 'emoji-id', role: 'img', 'aria-label': `emoji id ${id}` },
    ...parts,
  )
}

const svg = 'http://www.w3.org/2000/svg'

/** Always dark on white: many cameras cannot read inverted codes. */
export function qrCode(text, label) {
  const rows = encodeQr(text, 'raw', { ecc: 'medium', border: 3 })
  const drawn = rows.flatMap((row, y) =>
    row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')),
  )
  const picture = document.createElementNS(svg, 'svg')
  const attributes = {
    role: 'img',
    'aria-label': label,
    class: 'qr',
    'shape-rendering': 'crispEdges',
  }
  for (const [key, value] of Object.entries(attributes)) picture.setAttribute(key, value)
  picture.setAttribute('viewBox', `0 0 ${rows.length} ${rows.length}`)
  const path = document.createElementNS(svg, 'path')
  path.setAttribute('d', drawn.join(''))
  picture.append(path)
  return picture
}
