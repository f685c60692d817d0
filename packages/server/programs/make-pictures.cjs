// Makes pictures once, in the build: the process that answers requests never draws.
const { mkdirSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { icons, aliases, width } = require('@iconify-json/noto/icons.json')
const chars = require('@iconify-json/noto/chars.json')
const sharp = require('sharp')
const { groups, entries } = require('../../core/data/emoji-set.v1.json')

const folder = join(__dirname, '../art')

/**
 * What messengers show beside a link to an id without a picture of its own: our sign, and no
 * emojis, since those would be an id.
 */
const sign = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630" viewBox="0 0 1200 630">
  <defs><radialGradient id="light" cx="50%" cy="0%" r="95%">
    <stop offset="0" stop-color="#8a63ff"/><stop offset="1" stop-color="#3b1a9c"/>
  </radialGradient></defs>
  <rect width="1200" height="630" fill="url(#light)"/>
  <rect x="440" y="155" width="320" height="320" rx="100" fill="#fff"/>
  <circle cx="552" cy="299" r="32" fill="#5b2bd9"/><circle cx="648" cy="299" r="32" fill="#5b2bd9"/>
  <path d="M540 375q60 52 120 0" fill="none" stroke="#5b2bd9" stroke-width="20" stroke-linecap="round"/>
</svg>`

/** The size of one picture on a sheet: twice the size of most emojis on pages, for fine screens. */
const cell = 64
/** Keeps a neighbour out of sight where a browser rounds the place of a picture. */
const gap = 1
/** As many as `SHEET_COLUMNS` of the core says. */
const columns = 10

/** Beside the groups in the picker, in their order: one small sheet, so that no other has to load for them. */
const groupIcons = ['1f60d', '1f44b', '1f98a', '1f355', '1f680', '1f3a8', '1f48e', '267e']

const pointsOf = ({ emoji }) =>
  [...emoji.replace('\uFE0F', '')].map((char) => char.codePointAt(0).toString(16)).join('-')

/** One SVG per emoji and skin tone, so that the service does not load the package's 25 MB. */
function extractArt() {
  const plain = new Set(entries.map(pointsOf))
  for (const [points, name] of Object.entries(chars)) {
    if (!plain.has(points.replace(/-1f3f[b-f]$/, ''))) continue
    const { body } = icons[name] ?? icons[aliases[name].parent]
    const size = `width="${width}" height="${width}" viewBox="0 0 ${width} ${width}"`
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" ${size}>${body}</svg>\n`
    writeFileSync(join(folder, `${points}.svg`), svg)
  }
}

/** The emojis of each sheet, as code points, in the order of `sheetPlace` of the core. */
function sheets() {
  const toned = entries.filter(({ tone }) => tone)
  const tones = ['1f3fb', '1f3fc', '1f3fd', '1f3fe', '1f3ff']
  return [
    ['groups', groupIcons],
    ...groups.map(({ id }) => [id, entries.filter(({ group }) => group === id).map(pointsOf)]),
    ...tones.map((tone, nth) => [
      `tone-${nth + 1}`,
      toned.map((entry) => `${pointsOf(entry)}-${tone}`),
    ]),
  ]
}

async function drawSheet([name, emojis]) {
  const pictures = emojis.map(async (points, nth) => ({
    input: await sharp(join(folder, `${points}.svg`))
      .resize(cell - 2 * gap, cell - 2 * gap)
      .png({ compressionLevel: 0 })
      .toBuffer(),
    left: (nth % columns) * cell + gap,
    top: Math.floor(nth / columns) * cell + gap,
  }))
  const size = { width: columns * cell, height: Math.ceil(emojis.length / columns) * cell }
  const empty = { ...size, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } }
  await sharp({ create: empty })
    .composite(await Promise.all(pictures))
    .webp({ quality: 50, alphaQuality: 60, effort: 6 })
    .toFile(join(folder, 'sheets', `${name}.webp`))
}

async function makePictures() {
  mkdirSync(join(folder, 'sheets'), { recursive: true })
  extractArt()
  for (const sheet of sheets()) await drawSheet(sheet)
  await sharp(Buffer.from(sign)).png({ compressionLevel: 9 }).toFile(join(folder, 'directory.png'))
}

makePictures()
