import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import ffmpeg from '@ffmpeg-installer/ffmpeg'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createLog } from '../log/log.ts'
import { createDrawer } from './drawer.ts'
import { hoppingIcons } from './scene.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'emojid-drawer-test-'))
  // Other tests draw at the same time.
  vi.stubEnv('TMPDIR', folder)
})
afterAll(() => {
  vi.unstubAllEnvs()
  return rm(folder, { recursive: true })
})

const drawing = hoppingIcons(['1f525', '1f40d'], '#bcd7ff')
const resize = (svg: string, size: number) =>
  svg.replace(/width="\d+" height="\d+"/, `width="${size}" height="${size}"`)
/** The first of the frames, in full size. */
const hop = { ...drawing, frames: { ...drawing.frames, svgs: drawing.frames.svgs.slice(0, 6) } }
/** Shorter and smaller, for tests that do not check the pictures. */
const short = {
  ...drawing,
  still: resize(drawing.still, 64),
  frames: {
    ...drawing.frames,
    size: 64,
    svgs: drawing.frames.svgs.slice(0, 4).map((svg) => resize(svg, 64)),
  },
}

/** A drawer with a substitute for ffmpeg. */
async function drawerWith(ffmpeg?: string) {
  const logged: string[] = []
  const log = createLog('warn', { write: (line) => void logged.push(line) })
  const place = join(folder, `ffmpeg-${Math.random()}`)
  if (ffmpeg !== undefined) {
    await writeFile(place, ffmpeg)
    await chmod(place, 0o755)
  }
  return { logged, place, ...createDrawer({ ffmpegPlaces: ['/nowhere/ffmpeg', place], log }) }
}
const formatsOf = (files: { format: string }[]) => files.map(({ format }) => format)
const drawingFolders = async () =>
  (await readdir(tmpdir())).filter((name) => name.startsWith('emojid-drawing-'))

describe('a drawing', () => {
  it('becomes an image, an animation, and with the real ffmpeg two small videos that play, while this process goes on', async () => {
    const log = createLog('warn', { write: (line) => expect(line).toBe('') })
    const { draw } = createDrawer({ ffmpegPlaces: [ffmpeg.path], log })
    let turnCount = 0
    const turns = setInterval(() => turnCount++, 1)
    const [png, gif, mp4, webm] = await draw(hop)
    clearInterval(turns)

    expect(turnCount).toBeGreaterThan(10)
    expect(await sharp(png?.content).metadata()).toMatchObject({
      format: 'png',
      width: 1024,
      height: 1024,
    })
    const animation = await sharp(gif?.content, { animated: true }).metadata()
    expect(animation).toMatchObject({ format: 'gif', width: 512, pageHeight: 512, pages: 3 })
    expect(animation).toMatchObject({ loop: 0, delay: Array(3).fill(80) })
    expect(png?.content.length).toBeLessThan(300_000)
    expect(gif?.content.length).toBeLessThan(200_000)
    expect(mp4?.content.toString('latin1', 4, 8)).toBe('ftyp')
    expect(mp4?.content.indexOf('moov')).toBeLessThan(mp4?.content.indexOf('mdat') ?? 0)
    expect(webm?.content.toString('hex', 0, 4)).toBe('1a45dfa3')
    expect(mp4?.content.length).toBeLessThan(100_000)
    expect(webm?.content.length).toBeLessThan(100_000)
  })

  it('a drawing shows 1 or 6 icons within the picture', async () => {
    const { drawStill } = await drawerWith()
    const icons = ['2764', '1f525', '1f40d', '1f451', '1f355', '1f680']
    const background = drawing.still.replaceAll(/<(use|ellipse)[^>]*>/g, '')
    const ground = await drawStill({ sprites: [], still: resize(background, 256) })
    for (const count of [1, 6]) await expectWithin(icons.slice(0, count), ground)
  })

  async function expectWithin(icons: string[], ground: Buffer) {
    const { still, frames } = hoppingIcons(icons, '#bcd7ff')
    const { drawStill } = await drawerWith()
    const png = await drawStill({ sprites: icons, still: resize(still, 256) })
    const difference = sharp(png).composite([{ input: ground, blend: 'difference' }])
    const { info } = await sharp(await difference.removeAlpha().png().toBuffer())
      .trim({ background: '#000000', threshold: 20 })
      .toBuffer({ resolveWithObject: true })
    const { width, height, trimOffsetLeft: left = 0, trimOffsetTop: top = 0 } = info

    expect(Math.min(-left, -top)).toBeGreaterThan(15)
    expect(Math.max(width - left, height - top)).toBeLessThan(256 - 15)
    expect(width).toBeGreaterThan(100)
    expect(Math.abs(width / 2 - left - 128)).toBeLessThan(10)
    expect(frames.svgs).toHaveLength(50)
  }

  it('a drawing of an unknown icon fails and leaves no files behind', async () => {
    const before = await drawingFolders()
    const { draw } = await drawerWith()
    await expect(draw({ ...short, sprites: ['ffff'] })).rejects.toThrow('art/ffff.svg')
    expect(await drawingFolders()).toEqual(before)
  })
})

describe('videos', () => {
  it('videos are encoded by ffmpeg from every frame', async () => {
    const { draw, formats, logged } = await drawerWith(
      '#!/bin/sh\nfor last; do case $last in *.mp4) mp4=$last;; esac; done\n' +
        '/bin/cat > "$mp4"; echo "$@" > "$last"',
    )
    const files = await draw(short)

    expect(await formats()).toEqual(['png', 'gif', 'mp4', 'webm'])
    expect(formatsOf(files)).toEqual(['png', 'gif', 'mp4', 'webm'])
    expect(files[2]?.content.length).toBe(4 * 64 * 64 * 3)
    expect(files[3]?.content.toString()).toContain('-video_size 64x64 -framerate 25 -i pipe:0')
    expect(logged).toEqual([])
  })

  it('videos are left out without ffmpeg, which is logged once, and the rest is deterministic', async () => {
    const { draw, formats, logged } = await drawerWith()
    const files = await draw(short)
    expect(formatsOf(files)).toEqual(['png', 'gif'])
    expect(await draw(short)).toEqual(files)

    expect(await formats()).toEqual(['png', 'gif'])
    expect(logged).toHaveLength(1)
    expect(logged[0]).toContain('ffmpeg is missing')
  })

  it.each([
    ['fails', '#!/bin/sh\necho "no encoder" >&2; exit 3', 'no encoder'],
    ['ends before it read anything', '#!/bin/sh\nexit 1', 'ended with 1'],
    ['is no program at all', '\x7fELF', 'failed'],
  ])('videos are left out if ffmpeg %s', async (_how, ffmpeg, reason) => {
    const { draw, logged } = await drawerWith(ffmpeg)
    expect(formatsOf(await draw(short))).toEqual(['png', 'gif'])
    expect(logged.join()).toContain('A video could not be made')
    expect(logged.join()).toContain(reason)
  })
})

describe('stopping', () => {
  it('aborts the current drawing', async () => {
    const before = await drawingFolders()
    const drawer = await drawerWith('#!/bin/sh\n: > "$0.runs"; exec /bin/sleep 1000')
    const outcome = drawer.draw(short).catch((error: Error) => error.message)
    await expect.poll(() => existsSync(`${drawer.place}.runs`)).toBe(true)
    drawer.stop()

    expect(await outcome).toContain('it was stopped')
    expect(await drawingFolders()).toEqual(before)
    await expect(drawer.draw(short)).rejects.toThrow('it was stopped')
  })
})
