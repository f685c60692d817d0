// Extracts one SVG per emoji and skin tone from the Noto package once, so that the service
// does not load the package's 25 MB at run time.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const tonedPattern = /-1f3f[b-f]$/

export function makeArt(root) {
  const folder = join(root, 'packages/server/art')
  const read = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'))
  const chars = read('node_modules/@iconify-json/noto/chars.json')
  const { icons, aliases, width } = read('node_modules/@iconify-json/noto/icons.json')
  const { entries } = read('packages/core/data/emoji-set.v1.json')
  const plain = new Set(entries.map(({ emoji }) => codePointsOf(emoji)))
  mkdirSync(folder, { recursive: true })
  for (const [codePoints, name] of Object.entries(chars)) {
    if (!plain.has(codePoints.replace(tonedPattern, ''))) continue
    const { body } = icons[name] ?? icons[aliases[name].parent]
    const size = `width="${width}" height="${width}" viewBox="0 0 ${width} ${width}"`
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" ${size}>${body}</svg>\n`
    writeFileSync(join(folder, `${codePoints}.svg`), svg)
  }
}

const codePointsOf = (emoji) =>
  [...emoji.replace('\uFE0F', '')].map((char) => char.codePointAt(0).toString(16)).join('-')
