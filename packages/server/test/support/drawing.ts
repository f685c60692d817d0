import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import type { Container } from '../../src/container.ts'
import {
  createPictures,
  drawTask,
  pictureJobs,
} from '../../src/features/directory/pictures/pictures.ts'
import { createDrawer, type Drawing, type DrawnFile } from '../../src/platform/drawing/drawer.ts'
import { createLog } from '../../src/platform/log/log.ts'

/** The same scene in two frames of 32 pixels: few tests look at the picture. */
function shrink(drawing: Drawing): Drawing {
  const resize = (svg: string) => svg.replace(/width="\d+" height="\d+"/, 'width="32" height="32"')
  const { frames, still } = drawing
  const svgs = frames.svgs.slice(0, 2).map(resize)
  return {
    ...drawing,
    still: resize(still),
    frames: { ...frames, size: 32, svgs },
    gif: { every: 1 },
  }
}

const iconOf = (codePoints: string, nth: number): string => {
  const svg = readFileSync(new URL(`../../art/${codePoints}.svg`, import.meta.url), 'utf8')
  const [, viewBox, icon] = /viewBox="([^"]+)">(.*)<\/svg>/s.exec(svg) ?? []
  return `<symbol id="art${nth}" viewBox="${viewBox}">${icon}</symbol>`
}

/** Draws in this process: on a busy machine the low priority of the drawer's process delays it. */
async function drawHere({ sprites, still, frames }: Drawing): Promise<DrawnFile[]> {
  const icons = `<defs>${sprites.map(iconOf).join('')}</defs>`
  const render = (svg: string) =>
    sharp(Buffer.from(svg.replace('<defs/>', () => icons))).removeAlpha()
  const pixels = await Promise.all(frames.svgs.map((svg) => render(svg).raw().toBuffer()))
  const { size } = frames
  const raw = { width: size, height: size * pixels.length, channels: 3, pageHeight: size } as const
  return [
    { format: 'png', content: await render(still).png().toBuffer() },
    { format: 'gif', content: await sharp(Buffer.concat(pixels), { raw }).gif().toBuffer() },
  ]
}

type SmallPictures = {
  before?: () => Promise<void>
  /** Draws with the usual drawer, which makes videos with one of these. */
  ffmpegPlaces?: readonly string[]
}

/** A service whose jobs draw the same pictures small, each after `before`. */
export const withSmallPictures =
  ({ before = async () => {}, ffmpegPlaces }: SmallPictures = {}) =>
  (built: Container): Container => {
    const drawer = createDrawer({ ffmpegPlaces: ffmpegPlaces ?? [], log: createLog('silent') })
    const draw = ffmpegPlaces ? drawer.draw : drawHere
    const pictures = createPictures({
      db: built.db,
      drawer: {
        ...drawer,
        async draw(drawing) {
          await before()
          return draw(shrink(drawing))
        },
      },
      emojiIds: built.emojiIds,
      // The container's own picture store gets the updates.
      store: { ...built.store, whenStored: () => {} },
      now: built.now,
      baseUrl: 'http://localhost:3000/api',
    })
    const jobs = built.jobs.map((module) =>
      drawTask in module.tasks ? pictureJobs(pictures) : module,
    )
    return { ...built, jobs }
  }
