// Draws what messengers show beside a link to an id without a picture of its own: our sign, and no
// emojis, since those would be somebody's id. Made once at installation: who answers never draws.
const { join } = require('node:path')
const sharp = require('sharp')

const file = join(__dirname, '../art/directory.png')

const sign = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630" viewBox="0 0 1200 630">
  <defs><radialGradient id="light" cx="50%" cy="0%" r="95%">
    <stop offset="0" stop-color="#8a63ff"/><stop offset="1" stop-color="#3b1a9c"/>
  </radialGradient></defs>
  <rect width="1200" height="630" fill="url(#light)"/>
  <rect x="440" y="155" width="320" height="320" rx="100" fill="#fff"/>
  <circle cx="552" cy="299" r="32" fill="#5b2bd9"/><circle cx="648" cy="299" r="32" fill="#5b2bd9"/>
  <path d="M540 375q60 52 120 0" fill="none" stroke="#5b2bd9" stroke-width="20" stroke-linecap="round"/>
</svg>`

sharp(Buffer.from(sign)).png({ compressionLevel: 9 }).toFile(file)
