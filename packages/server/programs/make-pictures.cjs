// Pictures that are made once at installation, since who answers never draws.
const { readdirSync } = require('node:fs')
const { join } = require('node:path')
const sharp = require('sharp')

const folder = join(__dirname, '../art')

/**
 * What messengers show beside a link to an id without a picture of its own: our sign, and no
 * emojis, since those would be somebody's id.
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

/** Twice the size at which pages show the art small, for screens with fine dots. */
const small = 96

async function makePictures() {
  const drawings = readdirSync(folder).filter((name) => name.endsWith('.svg'))
  await Promise.all(
    drawings.map((name) => {
      const file = join(folder, name)
      const raster = sharp(file).resize(small, small).webp({ quality: 85, alphaQuality: 90 })
      return raster.toFile(file.replace(/svg$/, 'webp'))
    }),
  )
  await sharp(Buffer.from(sign)).png({ compressionLevel: 9 }).toFile(join(folder, 'directory.png'))
}

makePictures()
