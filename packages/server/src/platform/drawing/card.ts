import type { StillPicture } from './drawer.ts'
import { element, mix } from './scene.ts'

export const cardSize = { width: 1200, height: 630 } as const

const { width, height } = cardSize
const middle = { x: width / 2, y: 282 }
/** The widest row of icons. */
const longestRow = 1_000
const largestIcon = 270
/** The distance between the centers of icons, in icons. */
const step = 1.14

/** Icons in one row on a light plate above our logo: the preview picture of a link. */
export function iconCard(sprites: readonly string[], ground: string): StillPicture {
  const count = sprites.length
  const size = Math.min(largestIcon, longestRow / (1 + (count - 1) * step))
  const first = middle.x - ((count - 1) * step * size) / 2
  const icons = sprites.map((_, nth) => {
    const x = first + nth * step * size
    return (
      element('ellipse', {
        cx: x,
        cy: middle.y + size * 0.52,
        rx: size * 0.33,
        ry: size * 0.035,
        fill: '#12122e',
        'fill-opacity': 0.12,
      }) +
      element('use', {
        href: `#art${nth}`,
        x: x - size / 2,
        y: middle.y - size / 2,
        width: size,
        height: size,
      })
    )
  })
  const head = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"`
  const still = `${head} viewBox="0 0 ${width} ${height}"><defs/>${scenery(ground, size)}${icons.join('')}${sign}</svg>`
  return { sprites, still }
}

function scenery(ground: string, size: number): string {
  const pale = mix(ground, '#ffffff', 0.35)
  const deep = mix(ground, '#3a2a6a', 0.07)
  const plate = { width: 1_104, height: Math.max(size + 140, 340) }
  return [
    element('rect', { width, height, fill: pale }),
    element('circle', { cx: 1_130, cy: 20, r: 190, fill: deep, 'fill-opacity': 0.5 }),
    element('circle', { cx: 60, cy: 620, r: 170, fill: deep, 'fill-opacity': 0.5 }),
    element('rect', {
      x: middle.x - plate.width / 2,
      y: middle.y - plate.height / 2,
      ...plate,
      rx: 96,
      fill: '#ffffff',
      'fill-opacity': 0.86,
    }),
  ].join('')
}

/** The logo. Letters would need a font that not every machine has. */
const sign = `<g transform="translate(${middle.x - 36} 526)">${[
  element('rect', { width: 72, height: 72, rx: 22, fill: '#5b2bd9' }),
  element('circle', { cx: 25, cy: 32, r: 7, fill: '#ffffff' }),
  element('circle', { cx: 47, cy: 32, r: 7, fill: '#ffffff' }),
].join(
  '',
)}<path d="M22 48q14 12 28 0" fill="none" stroke="#fff" stroke-width="5" stroke-linecap="round"/></g>`
