// Draws in a process of its own: neither its work nor its memory is the service's, and whatever it
// trips over ends here. One message says what to draw, in SVG; the icons it uses are added here.
const { setPriority } = require('node:os')

// Before anything starts a thread, since threads are as important as whoever starts them.
try {
  setPriority(10)
} catch {
  // It is even less important already.
}

const { once } = require('node:events')
const { readFileSync } = require('node:fs')
const { writeFile } = require('node:fs/promises')
const { join } = require('node:path')
const sharp = require('sharp')

sharp.concurrency(1)
sharp.cache(false)

const abandoned = () => process.exit(1)
process.once('disconnect', abandoned)
process.once('message', async (drawing) => {
  await draw(drawing)
  process.off('disconnect', abandoned)
  process.disconnect()
})

async function draw({ folder, sprites, still, frames, gif, streamsFrames }) {
  const art = `<defs>${sprites.map(symbolOf).join('')}</defs>`
  const rasterise = (svg) => sharp(Buffer.from(svg.replace('<defs/>', () => art))).removeAlpha()

  const png = rasterise(still).png({ compressionLevel: 9 })
  await writeFile(join(folder, 'image.png'), await png.toBuffer())

  if (!frames) return
  const isChosen = (_, place) => place % gif.every === 0
  const pixels = []
  for (const svg of streamsFrames ? frames.svgs : frames.svgs.filter(isChosen)) {
    pixels.push(await rasterise(svg).raw().toBuffer())
  }
  const chosen = streamsFrames ? pixels.filter(isChosen) : pixels
  const { size } = frames
  const raw = { width: size, height: size * chosen.length, channels: 3, pageHeight: size }
  const animation = sharp(Buffer.concat(chosen), { raw }).gif({
    loop: 0,
    delay: chosen.map(() => gif.delayMs),
    effort: 4,
    colours: 128,
    dither: 0,
    interFrameMaxError: 6,
    keepDuplicateFrames: true,
  })
  await writeFile(join(folder, 'animation.gif'), await animation.toBuffer())

  if (!streamsFrames) return
  for (const frame of pixels) {
    if (!process.stdout.write(frame)) await once(process.stdout, 'drain')
  }
}

/** The icon of an emoji, as `<use href="#art0"/>` finds it. */
function symbolOf(codePoints, place) {
  const svg = readFileSync(join(__dirname, `../art/${codePoints}.svg`), 'utf8')
  const [, viewBox, icon] = /viewBox="([^"]+)">(.*)<\/svg>/s.exec(svg)
  // Icons name their gradients as they like; here several stand in one document.
  const body = icon.replaceAll(/(\sid="|url\(#|href="#)/g, `$1art${place}-`)
  return `<symbol id="art${place}" viewBox="${viewBox}">${body}</symbol>`
}
