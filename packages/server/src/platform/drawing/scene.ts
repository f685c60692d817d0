import type { Drawing } from './drawer.ts'

const canvas = 512
const stillSize = 1024
const framesPerSecond = 25
const seconds = 2

/** Icons per row and their size, by the number of icons. */
const layouts: Record<number, { rows: readonly number[]; size: number }> = {
  1: { rows: [1], size: 280 },
  2: { rows: [2], size: 184 },
  3: { rows: [3], size: 128 },
  4: { rows: [2, 2], size: 156 },
  5: { rows: [3, 2], size: 124 },
  6: { rows: [3, 3], size: 124 },
}

/** Dots as x, y, radius. */
const dots = [
  [46, 64, 9],
  [118, 38, 5],
  [452, 66, 11],
  [402, 28, 5],
  [486, 150, 6],
  [30, 188, 5],
  [34, 428, 11],
  [96, 480, 6],
  [204, 496, 4],
  [478, 424, 8],
  [420, 482, 10],
  [488, 336, 5],
] as const

type Place = { x: number; y: number; size: number }
/** The time within the loop, from 0 to 1. */
type Moment = number | 'still'

/** Icons that hop one after the other, twice in a seamless loop, on a plain ground. */
export function hoppingIcons(sprites: readonly string[], ground: string): Drawing {
  const places = placesOf(sprites.length)
  const draw = (moment: Moment, size: number) => {
    const icons = places.map((place, nth) => icon(place, nth, moment)).join('')
    const head = `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}"`
    return `${head} viewBox="0 0 ${canvas} ${canvas}"><defs/>${scenery(ground, moment)}${icons}</svg>`
  }
  const count = framesPerSecond * seconds
  const svgs = Array.from({ length: count }, (_, nth) => draw(nth / count, canvas))
  return {
    sprites,
    still: draw('still', stillSize),
    frames: { size: canvas, per_second: framesPerSecond, svgs },
    gif: { every: 2 },
  }
}

function placesOf(count: number): Place[] {
  const layout = layouts[count]
  if (!layout) throw new Error(`There is no layout for ${count} icons`)
  const { rows, size } = layout
  const [columnWidth, rowHeight] = [size * 1.12, size * 1.26]
  const middle = canvas / 2
  return rows.flatMap((columns, row) =>
    Array.from({ length: columns }, (_, column) => ({
      size,
      x: middle + (column - (columns - 1) / 2) * columnWidth,
      y: middle + (row - (rows.length - 1) / 2) * rowHeight,
    })),
  )
}

function icon({ x, y, size }: Place, nth: number, moment: Moment): string {
  const turn = moment === 'still' ? 0 : moment - nth / 6
  const height = Math.sin(2 * Math.PI * turn) ** 2
  const tilt = 5 * Math.sin(2 * Math.PI * turn)
  const top = y - size / 2 - height * size * 0.1
  const shadow = size * 0.33 * (1 - 0.25 * height)
  return (
    element('ellipse', {
      cx: x,
      cy: y + size * 0.51,
      rx: shadow,
      ry: size * 0.04,
      fill: '#12122e',
      'fill-opacity': 0.17,
    }) +
    element('use', {
      href: `#art${nth}`,
      x: x - size / 2,
      y: top,
      width: size,
      height: size,
      transform: `rotate(${rounded(tilt)} ${rounded(x)} ${rounded(top + size)})`,
    })
  )
}

/** A plate for the icons on a ground with dots at its edges. */
function scenery(ground: string, moment: Moment): string {
  const light = mix(ground, '#ffffff', isDark(ground) ? 0.16 : 0.55)
  const deep = mix(ground, '#3a2a6a', 0.12)
  const twinkling = dots.map(([cx, cy, radius], nth) => {
    const turn = moment === 'still' ? 0 : moment + nth / dots.length
    const r = radius * (0.85 + 0.15 * Math.sin(2 * Math.PI * turn))
    return element('circle', { cx, cy, r, fill: nth % 2 ? light : deep })
  })
  return [
    element('rect', { width: canvas, height: canvas, fill: ground }),
    element('circle', { cx: 470, cy: 30, r: 150, fill: deep }),
    element('circle', { cx: 30, cy: 490, r: 130, fill: deep }),
    element('rect', { x: 34, y: 34, width: 444, height: 444, rx: 140, fill: light }),
    ...twinkling,
  ].join('')
}

export function element(name: string, attributes: Record<string, string | number>): string {
  const attributeTexts = Object.entries(attributes).map(
    ([key, value]) => `${key}="${typeof value === 'number' ? rounded(value) : value}"`,
  )
  return `<${name} ${attributeTexts.join(' ')}/>`
}

const rounded = (value: number): number => Math.round(value * 100) / 100

/** Red, green and blue of #rrggbb. */
const channelsOf = (colour: string): number[] =>
  [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))

const isDark = (colour: string): boolean => {
  const [red = 0, green = 0, blue = 0] = channelsOf(colour)
  return 0.3 * red + 0.59 * green + 0.11 * blue < 64
}

/** Mixes a part of the other colour into a colour. */
export function mix(colour: string, other: string, part: number): string {
  const others = channelsOf(other)
  const mixed = channelsOf(colour).map((value, nth) =>
    Math.round(value * (1 - part) + (others[nth] ?? 0) * part),
  )
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}
