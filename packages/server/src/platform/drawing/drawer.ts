import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Log } from '../log/log.ts'
import { untilDone } from './run.ts'
import { encode, findProgram } from './video.ts'

/** SVG documents in which `<defs/>` stands for the icons and `#art0` for the first of them. */
export type StillPicture = {
  /** Code points of the icons. */
  sprites: readonly string[]
  still: string
}

/** A still and a loop. */
export type Drawing = StillPicture & {
  frames: { size: number; per_second: number; svgs: readonly string[] }
  /** The step between the frames of the GIF. */
  gif: { every: number }
}

export type Format = 'png' | 'gif' | 'mp4' | 'webm'
export type DrawnFile = { format: Format; content: Buffer }
export type Drawer = ReturnType<typeof createDrawer>

type Options = { ffmpegPlaces: readonly string[]; log: Log }

const program = fileURLToPath(new URL('../../../programs/draw.cjs', import.meta.url))
/** Long, since drawing has a low priority. */
const timeLimitMs = 180_000
const stillFormats: Format[] = ['png', 'gif']
const videoFormats: Format[] = ['mp4', 'webm']

const newArtist = () =>
  spawn(process.execPath, ['--max-old-space-size=256', program], {
    // An empty environment: ours holds secrets.
    env: { UV_THREADPOOL_SIZE: '1' },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })

async function inFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'emojid-drawing-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Renders drawings to files, in processes with a low priority. */
export function createDrawer({ ffmpegPlaces, log }: Options) {
  const stoppingController = new AbortController()
  const limits = { timeLimitMs, signal: stoppingController.signal }
  let hasWarned = false
  const findFfmpeg = async () => {
    const program = await findProgram(ffmpegPlaces)
    if (!program && !hasWarned) {
      hasWarned = true
      log.warn('ffmpeg is missing: pictures are drawn as PNG and GIF, without videos')
    }
    return program
  }

  const drawStillIn = async (folder: string, still: StillPicture): Promise<Buffer> => {
    const artist = newArtist()
    artist.send({ ...still, folder }, () => {})
    await untilDone(artist, limits)
    return readFile(join(folder, 'image.png'))
  }

  const drawIn = async (folder: string, drawing: Drawing): Promise<DrawnFile[]> => {
    const [mp4, webm] = [join(folder, 'video.mp4'), join(folder, 'video.webm')]
    const ffmpeg = await findFfmpeg()
    const artist = newArtist()
    const { size, per_second: framesPerSecond } = drawing.frames
    const video = { size, framesPerSecond, mp4, webm }
    const encoded = ffmpeg
      ? encode(ffmpeg, artist, video, limits).then(
          () => true,
          (error) => {
            if (!stoppingController.signal.aborted)
              log.warn({ err: error }, 'A video could not be made')
            return false
          },
        )
      : false
    const delayMs = (drawing.gif.every * 1_000) / framesPerSecond
    const gif = { ...drawing.gif, delayMs }
    // The exit status of an ended process says more than a failed send.
    artist.send({ ...drawing, gif, folder, streamsFrames: ffmpeg !== undefined }, () => {})
    const drawLoop = untilDone(artist, limits)
    const [hasVideos] = await Promise.all([encoded, drawLoop.catch(() => {})])
    await drawLoop
    return [
      { format: 'png', content: await readFile(join(folder, 'image.png')) },
      { format: 'gif', content: await readFile(join(folder, 'animation.gif')) },
      ...(hasVideos ? [{ format: 'mp4' as const, content: await readFile(mp4) }] : []),
      ...(hasVideos ? [{ format: 'webm' as const, content: await readFile(webm) }] : []),
    ]
  }

  return {
    /** The formats available on this machine. */
    formats: async (): Promise<Format[]> =>
      (await findFfmpeg()) ? [...stillFormats, ...videoFormats] : stillFormats,

    draw: (drawing: Drawing): Promise<DrawnFile[]> => inFolder((folder) => drawIn(folder, drawing)),

    /** Draws only the PNG, in a fraction of the time. */
    drawStill: (still: StillPicture): Promise<Buffer> =>
      inFolder((folder) => drawStillIn(folder, still)),

    /** Aborts running work; its callers get an error. */
    stop: () => stoppingController.abort(),
  }
}
