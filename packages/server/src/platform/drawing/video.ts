import { type ChildProcess, spawn } from 'node:child_process'
import { access, constants } from 'node:fs/promises'
import { type Limits, untilDone, yieldToOthers } from './run.ts'

export type Video = { size: number; framesPerSecond: number; mp4: string; webm: string }

/** The first of these programs that exists. */
export async function findProgram(places: readonly string[]): Promise<string | undefined> {
  for (const place of places) {
    const isExecutable = await access(place, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (isExecutable) return place
  }
  return undefined
}

/** Raw frames in, both files out of one run. */
const ffmpegArguments = ({ size, framesPerSecond, mp4, webm }: Video): string[] => [
  '-nostdin',
  '-hide_banner',
  '-loglevel',
  'error',
  '-y',
  '-f',
  'rawvideo',
  '-pix_fmt',
  'rgb24',
  '-video_size',
  `${size}x${size}`,
  '-framerate',
  String(framesPerSecond),
  '-i',
  'pipe:0',
  // Phones play this profile, and start before the download is complete.
  '-map',
  '0:v',
  '-an',
  '-c:v',
  'libx264',
  '-profile:v',
  'high',
  '-preset',
  'medium',
  '-crf',
  '22',
  '-pix_fmt',
  'yuv420p',
  '-threads',
  '1',
  '-movflags',
  '+faststart',
  mp4,
  '-map',
  '0:v',
  '-an',
  '-c:v',
  'libvpx-vp9',
  '-crf',
  '34',
  '-b:v',
  '0',
  '-deadline',
  'realtime',
  '-cpu-used',
  '6',
  '-pix_fmt',
  'yuv420p',
  '-threads',
  '1',
  webm,
]

/** Encodes the frames that another process draws. */
export async function encode(program: string, frames: ChildProcess, video: Video, limits: Limits) {
  const ffmpeg = spawn(program, ffmpegArguments(video), {
    env: {},
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  yieldToOthers(ffmpeg)
  ffmpeg.stdin.on('error', () => {})
  frames.stdout?.pipe(ffmpeg.stdin)
  try {
    await untilDone(ffmpeg, limits)
  } finally {
    // The drawing process blocks if its output has no reader.
    frames.stdout?.unpipe().resume()
  }
}
