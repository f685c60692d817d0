import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { testDatabase } from '../../../../test/support/database.ts'
import { withSmallPictures } from '../../../../test/support/drawing.ts'
import { at, grant, insertOwnedId } from '../../../../test/support/ids.ts'
import { newcomer, type Person, registerAs } from '../../../../test/support/people.ts'
import { type TestService, testService } from '../../../../test/support/service.ts'
import { drawTask } from './pictures.ts'

/** Writes its arguments into the video files. */
const videoMaker = `#!/bin/sh
/bin/cat > /dev/null
for file; do case $file in *.mp4|*.webm) echo "$@" > "$file";; esac; done
`
/** Never ends by itself; the test finds its process id beside it. */
const endlessMaker = `#!/bin/sh
echo $$ > "$0.pid"
exec /bin/sleep 1000
`
const env = { ROLES: 'api,auth,web,worker', FFMPEG_PATH: '/nowhere/ffmpeg' }

/** Blocks drawings from the moment that a test closes it. */
const gate = { waiting: 0, opened: Promise.resolve(), open: () => {} }
function closeGate(): void {
  gate.opened = new Promise((resolve) => {
    gate.open = resolve
  })
}

/** Drawing jobs wait at the gate. */
const drawSmall = withSmallPictures({
  async before() {
    gate.waiting++
    await gate.opened
    gate.waiting--
  },
})

let service: TestService
let admin: Person
let anna: Person
beforeAll(async () => {
  service = await testService({ env, override: drawSmall })
  admin = await registerAs(service, 'Admin')
  anna = await newcomer(service)
})
afterAll(() => service.close())

type Locations = { image?: string; gif?: string; video?: string; webm?: string }
const newId = () => insertOwnedId(service, anna.id)
const grantAgain = (emoji_id: string) => grant(admin, { user_id: anna.id }, emoji_id)
const store = (id: string, data: unknown, by: Pick<Person, 'post'> = anna) =>
  by.post(at(id, '/json/VisualizerData'), { data })
const locations = async (id: string, of = service) => {
  const answer = await of.get(at(id, '/json/VisualizerFileLocations'))
  return answer.json<{ data: Locations }>().data
}
/** The pictures of the id, once they differ from before. */
const drawFor = async (id: string, before: Locations = {}, of = service): Promise<Locations> => {
  const differs = async () => JSON.stringify(await locations(id, of)) !== JSON.stringify(before)
  await vi.waitUntil(differs, { interval: 50, timeout: 120_000 })
  return locations(id, of)
}
const pathOf = (url = '') => url.replace('http://localhost:3000', '')
const load = (url: string | undefined, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(service.address + pathOf(url), { method, headers })
const bytesOf = async (url?: string) => Buffer.from(await (await load(url)).arrayBuffer())
/** The colour of the ground, which shows at the left edge. */
const groundOf = async (picture: Buffer) => {
  const { height = 0 } = await sharp(picture).metadata()
  const { data } = await sharp(picture)
    .extract({ left: 0, top: Math.round(height / 5), width: 1, height: 1 })
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return [...data]
}
const jobs = async () =>
  (
    await sql`
      select id from graphile_worker.jobs where task_identifier = ${drawTask}`.execute(service.db)
  ).rows
/** Stores data, and returns while its drawing waits at the gate. */
const storeAndHold = async (id: string, data: unknown) => {
  closeGate()
  expect((await store(id, data)).status).toBe(200)
  await expect.poll(() => gate.waiting, { interval: 20 }).toBe(1)
}
const untilIdle = () => expect.poll(jobs, { interval: 20 }).toEqual([])
const storedPictures = (id: string) =>
  service.db.selectFrom('pictures').selectAll().where('emoji_id', '=', id).execute()

describe('storing VisualizerData', () => {
  it('responds before the drawing ends, shows the latest data and leaves no older picture', async () => {
    const id = await newId()
    await storeAndHold(id, { background: '#ff0000' })
    expect(await locations(id)).toEqual({})
    for (const background of ['#00ff00', '#ffff00', '#0000ff']) await store(id, { background })
    // One is being drawn, and one covers all later writes.
    expect(await jobs()).toHaveLength(2)
    gate.open()
    const first = await drawFor(id)
    await untilIdle()
    expect(await locations(id)).toEqual(first)
    const { image, gif, ...rest } = first
    expect(rest).toEqual({})
    expect(image).toMatch(/^http:\/\/localhost:3000\/api\/pictures\/[0-9a-f]{64}\.png$/)
    expect(gif).toMatch(/^http:\/\/localhost:3000\/api\/pictures\/[0-9a-f]{64}\.gif$/)
    const [red = 0, green = 0, blue = 0] = await groundOf(await bytesOf(image))
    expect(red + green).toBeLessThan(12)
    expect(blue).toBeGreaterThan(248)

    await store(id, { background: '#ff0000' })
    const second = await drawFor(id, first)
    expect(await storedPictures(id)).toHaveLength(2)
    for (const url of Object.values(first)) expect((await load(url)).status).toBe(404)
    for (const url of Object.values(second)) expect((await load(url)).status).toBe(200)
  })

  it('storing VisualizerData without a visible change draws nothing, but restores the locations of the pictures', async () => {
    const id = await newId()
    await store(id, { theme: 'night' })
    const first = await drawFor(id)
    const before = await storedPictures(id)
    await anna.post(at(id, '/json/VisualizerFileLocations'), { data: {} })
    await store(id, { theme: 'night', note: 'of my own' })

    expect(await drawFor(id)).toEqual(first)
    expect(await storedPictures(id)).toEqual(before)
  })

  it('storing VisualizerData by another user, or other data, draws nothing', async () => {
    const id = await newId()
    const eve = await newcomer(service)
    expect((await store(id, {}, eve)).status).toBe(403)
    await anna.post(at(id, '/json/VisualizerName'), { data: 'Fire' })
    expect(await jobs()).toEqual([])
  })

  it('storing VisualizerData leaves a locked entry as it is', async () => {
    const id = await newId()
    const entry = at(id, '/json/VisualizerFileLocations')
    await anna.post(entry, { data: { image: 'https://example.com/own.png' } })
    const lock = entry.replace('/emoji_id/', '/admin/emoji_ids/')
    expect((await admin.put(`${lock}/lock`, { is_locked: true })).status).toBe(200)
    await store(id, {})
    await untilIdle()

    expect(await locations(id)).toEqual({ image: 'https://example.com/own.png' })
    expect(await storedPictures(id)).toEqual([])
  })
})

describe('a picture', () => {
  let id: string
  let image: string | undefined
  let gif: string | undefined
  beforeAll(async () => {
    id = await newId()
    await store(id, {})
    ;({ image, gif } = await drawFor(id))
  })

  it('a picture is revalidated like a lookup, and readable by pages of any origin', async () => {
    for (const [url, type] of [
      [image, 'image/png'],
      [gif, 'image/gif'],
    ]) {
      const { status, headers } = await load(url)
      expect([status, headers.get('content-type')]).toEqual([200, type])
      expect(headers.get('cache-control')).toBe('public, no-cache')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('access-control-allow-origin')).toBe('*')
      expect(headers.get('etag')).toMatch(/^"[0-9a-f]{64}"$/)
    }
  })

  it('a picture is refused while its id is suspended, also to a client that has it cached', async () => {
    const etag = (await load(image)).headers.get('etag') ?? ''
    const act = async (action: string) => {
      const path = `/api/admin/emoji_ids/${encodeURIComponent(id)}/${action}`
      expect((await admin.post(path, { reason: 'Phishing' })).status).toBe(200)
    }
    await act('suspend')
    for (const url of [image, gif]) {
      const refusal = await load(url, { 'if-none-match': etag })
      expect([refusal.status, await refusal.json()]).toMatchObject([451, { code: 'suspended' }])
    }
    await act('restore')
    expect((await load(image)).status).toBe(200)
  })

  it('a picture is not sent again to a client that has it cached', async () => {
    const etag = (await load(image)).headers.get('etag') ?? ''
    const secondAnswer = await load(image, { 'if-none-match': etag })
    expect([secondAnswer.status, await secondAnswer.text()]).toEqual([304, ''])
    expect(secondAnswer.headers.get('cache-control')).toBe('public, no-cache')
    expect((await load(image, { 'if-none-match': '"other"' })).status).toBe(200)
  })

  it('supports HEAD', async () => {
    const { status, headers } = await load(image, {}, 'HEAD')
    expect(status).toBe(200)
    expect(Number(headers.get('content-length'))).toBe((await bytesOf(image)).length)
  })

  it('supports ranges', async () => {
    const whole = await bytesOf(image)
    for (const [range, from, to] of [
      ['bytes=0-9', 0, 10],
      ['bytes=10-', 10, undefined],
      ['bytes=-7', -7, undefined],
      ['bytes=5-999999999', 5, undefined],
    ] as const) {
      const answer = await load(image, { range })
      const part = whole.subarray(from, to)
      const first = from < 0 ? whole.length + from : from
      expect(answer.status, range).toBe(206)
      expect(Buffer.from(await answer.arrayBuffer()), range).toEqual(part)
      expect(answer.headers.get('content-range')).toBe(
        `bytes ${first}-${first + part.length - 1}/${whole.length}`,
      )
    }
  })

  it('a picture is sent whole for an invalid range', async () => {
    const whole = await bytesOf(image)
    const senseless = ['9-5', '-0', '99999999-', '0-1,4-5', 'x'].map((range) => `bytes=${range}`)
    for (const range of [...senseless, 'lines=1-2']) {
      const answer = await load(image, { range })
      expect(answer.status, range).toBe(200)
      expect(Buffer.from(await answer.arrayBuffer()), range).toEqual(whole)
    }
  })

  it('that does not exist is a plain 404 or 400', async () => {
    const unknown = ['x', `${'0'.repeat(64)}.png`, `${'0'.repeat(64)}.svg`]
    for (const file of [...unknown, '%2e%2e%2fsecrets', '%00']) {
      const answer = await service.get(`/api/pictures/${file}`)
      expect([400, 404], file).toContain(answer.status)
      expect(answer.headers.get('content-type'), file).toContain('json')
      expect(answer.headers.get('cache-control') ?? '', file).not.toContain('immutable')
    }
  })

  it('a picture is not found under another ending', async () => {
    expect((await load(image?.replace('.png', '.gif'))).status).toBe(404)
  })
})

describe('an id that changes its owner', () => {
  it('an id that changes its owner shows no pictures after its release (T119)', async () => {
    const id = await newId()
    await store(id, {})
    const before = await drawFor(id)
    expect((await anna.delete(at(id))).status).toBe(200)
    for (const url of Object.values(before)) expect((await load(url)).status).toBe(404)
    expect(await storedPictures(id)).toEqual([])

    await grantAgain(id)
    expect(await locations(id)).toEqual({})
    await untilIdle()
    expect(await locations(id)).toEqual({})
  })

  it('during a drawing gets no picture of the former owner (T119)', async () => {
    const id = await newId()
    await storeAndHold(id, { background: '#ff0000' })
    expect((await anna.delete(at(id))).status).toBe(200)
    await grantAgain(id)
    gate.open()
    await untilIdle()

    expect(await locations(id)).toEqual({})
    expect(await storedPictures(id)).toEqual([])
  })

  it('during a drawing, with its store entries, is drawn for the new owner, and loses its pictures with them', async () => {
    const id = await newId()
    await storeAndHold(id, {})
    await service.db
      .updateTable('emoji_ids')
      .set({ pubkey: null })
      .where('emoji_id', '=', id)
      .execute()
    gate.open()
    const { image } = await drawFor(id)
    await untilIdle()
    expect(await storedPictures(id)).toHaveLength(2)
    await service.db.deleteFrom('store_entries').where('emoji_id', '=', id).execute()

    expect((await load(image)).status).toBe(404)
    expect(await storedPictures(id)).toEqual([])
  })
})

it('stopping the service ends a drawing; the next process draws it, with videos', async () => {
  const database = await testDatabase()
  const folder = await mkdtemp(join(tmpdir(), 'emojid-ffmpeg-'))
  const placeMaker = async (name: string, maker: string) => {
    const path = join(folder, name)
    await writeFile(path, maker, { mode: 0o755 })
    return path
  }
  const endless = await placeMaker('endless', endlessMaker)
  const first = await testService({
    databaseUrl: database.url,
    env: { ...env, SEED_DEMO: 'false', FFMPEG_PATH: endless },
  })
  const ben = await registerAs(first, 'Admin')
  const id = await grant(ben, { user_id: ben.id }, '🔥🐍🔥')
  await store(id, { background: '#204060' }, ben)
  const readPid = () => readFile(`${endless}.pid`, 'utf8').catch(() => '')
  await expect.poll(readPid, { interval: 20 }).toMatch(/^\d+\n$/)
  await first.close()
  const pid = Number(await readPid())
  /** Signal 0 only checks that the process exists. */
  const isAlive = () => {
    try {
      return process.kill(pid, 0)
    } catch {
      return false
    }
  }
  // The script would sleep for a quarter of an hour; a killed process is gone a moment later.
  await expect.poll(isAlive, { interval: 20 }).toBe(false)

  const ffmpeg = await placeMaker('ffmpeg', videoMaker)
  const override = withSmallPictures({ ffmpegPlaces: [ffmpeg] })
  const next = await testService({
    databaseUrl: database.url,
    env: { ...env, SEED_DEMO: 'false' },
    override,
  })
  const loadNext = (url?: string) => fetch(next.address + pathOf(url))
  try {
    const { image, gif, video, webm } = await drawFor(id, {}, next)
    const types = await Promise.all(
      [image, gif, video, webm].map(async (url) => {
        const { status, headers } = await loadNext(url)
        return [status, headers.get('content-type')]
      }),
    )
    expect(types.flat()).toEqual([
      200,
      'image/png',
      200,
      'image/gif',
      200,
      'video/mp4',
      200,
      'video/webm',
    ])
    expect(await (await loadNext(webm)).text()).toContain('libvpx-vp9')
  } finally {
    await next.close()
    await database.drop()
    await rm(folder, { recursive: true })
  }
})
