// One picture for each emoji of an id, in each tone: taken out of the Noto package once, since
// nobody who answers requests should read all 25 MB of it.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const toned = /-1f3f[b-f]$/

export function makeArt(root) {
  const require = createRequire(join(root, 'packages/server/package.json'))
  const folder = join(root, 'packages/server/art')
  const note = join(folder, '.made-from')
  const { version } = require('@iconify-json/noto/info.json')
  if (existsSync(note) && readFileSync(note, 'utf8') === version) return
  const chars = require('@iconify-json/noto/chars.json')
  const { icons, aliases, width } = require('@iconify-json/noto/icons.json')
  const set = readFileSync(join(root, 'packages/core/data/emoji-set.v1.json'), 'utf8')
  const plain = new Set(JSON.parse(set).entries.map(({ emoji }) => codePointsOf(emoji)))
  mkdirSync(folder, { recursive: true })
  for (const [codePoints, name] of Object.entries(chars)) {
    if (!plain.has(codePoints.replace(toned, ''))) continue
    const { body } = icons[name] ?? icons[aliases[name].parent]
    const size = `width="${width}" height="${width}" viewBox="0 0 ${width} ${width}"`
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" ${size}>${body}</svg>\n`
    writeFileSync(join(folder, `${codePoints}.svg`), svg)
  }
  writeFileSync(note, version)
}

const codePointsOf = (emoji) =>
  [...emoji.replace('\uFE0F', '')].map((char) => char.codePointAt(0).toString(16)).join('-')
