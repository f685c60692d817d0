import type { Container } from '../../src/container.ts'
import { drawTask } from '../../src/features/directory/pictures/draw-picture.ts'
import { createPictures, pictureJobs } from '../../src/features/directory/pictures/index.ts'
import { createDrawer, type Drawing } from '../../src/platform/drawing/drawer.ts'
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

/** A service whose jobs draw the same pictures small, each after `before`. */
export const withSmallPictures =
  (before: () => Promise<void> = async () => {}, ffmpegPlaces: readonly string[] = []) =>
  (built: Container): Container => {
    const drawer = createDrawer({ ffmpegPlaces, log: createLog('silent') })
    const pictures = createPictures({
      db: built.db,
      drawer: {
        ...drawer,
        async draw(drawing) {
          await before()
          return drawer.draw(shrink(drawing))
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
