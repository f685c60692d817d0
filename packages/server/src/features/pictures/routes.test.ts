import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { testDatabase } from '../../../test/support/database.ts'
import { at, grant, recordsOf } from '../../../test/support/ids.ts'
import { type Person, register, registerAs } from '../../../test/support/people.ts'
import { type TestService, testService } from '../../../test/support/service.ts'

// Drawing stands back behind everything else that the machine does.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })
const drawingTime = { timeout: 120_000, interval: 50 }

/** Writes what it was asked to do instead of doing it. */
const videoMaker = `#!/bin/sh
/bin/cat > /dev/null
for file; do case $file in *.mp4|*.webm) echo "$@" > "$file";; esac; done
`
const env = { ROLES: 'api,auth,web,worker', FFMPEG_PATH: '/nowhere/ffmpeg' }
let service: TestService
let admin: Person
let anna: Person
beforeAll(async () => {
  service = await testService({ env })
  admin = await registerAs(service, 'Admin')
  anna = await register(service, { password: null })
})
afterAll(() => service.close())

type Locations = { image?: string; gif?: string; video?: string; webm?: string }
const newId = (emoji_id?: string) => grant(admin, { user_id: anna.id }, emoji_id)
const store = (id: string, data: unknown, by: Pick<Person, 'post'> = anna) =>
  by.post(at(id, '/json/VisualizerData'), { data })
const locations = async (id: string, of = service) => {
  const answer = await of.get(at(id, '/json/VisualizerFileLocations'))
  return answer.json<{ data: Locations }>().data
}
/** What the id shows, once it shows something else than before. */
const drawn = async (id: string, before: Locations = {}, of = service): Promise<Locations> => {
  const differs = async () => JSON.stringify(await locations(id, of)) !== JSON.stringify(before)
  await vi.waitUntil(differs, drawingTime)
  return locations(id, of)
}
const pathOf = (url = '') => url.replace('http://localhost:3000', '')
const load = (url: string | undefined, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(service.address + pathOf(url), { method, headers })
const bytesOf = async (url?: string) => Buffer.from(await (await load(url)).arrayBuffer())
/** The colour of the ground. */
const groundOf = async (url?: string) => {
  const { data } = await sharp(await bytesOf(url))
    .extract({ left: 4, top: 200, width: 1, height: 1 })
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return [...data]
}
const jobs = async (of = service) =>
  (
    await sql<{ locked: boolean }>`
      select locked_at is not null as locked from graphile_worker.jobs
      where task_identifier = 'pictures.draw'`.execute(of.db)
  ).rows
const untilDrawing = (of = service) =>
  expect.poll(async () => (await jobs(of)).some(({ locked }) => locked), drawingTime).toBe(true)
const untilIdle = () => expect.poll(() => jobs(), drawingTime).toEqual([])
const kept = (id: string) =>
  service.db.selectFrom('pictures').selectAll().where('emoji_id', '=', id).execute()

describe('storing VisualizerData', () => {
  it('answers at once, and the pictures follow while lookups go on', async () => {
    const id = await newId('🔥🐍🔥')
    expect((await store(id, { background: '#204060' })).status).toBe(200)
    expect(await locations(id)).toEqual({})
    await untilDrawing()
    let answered = 0
    for (; (await jobs()).length > 0; answered++) {
      expect(await recordsOf(service, id)).toEqual([])
    }
    expect(answered).toBeGreaterThan(5)
    const { image, gif, ...rest } = await locations(id)

    expect(rest).toEqual({})
    expect(image).toMatch(/^http:\/\/localhost:3000\/api\/pictures\/[0-9a-f]{64}\.png$/)
    expect(gif).toMatch(/^http:\/\/localhost:3000\/api\/pictures\/[0-9a-f]{64}\.gif$/)
    const png = await sharp(await bytesOf(image)).metadata()
    expect(png).toMatchObject({ format: 'png', width: 1024, height: 1024 })
    const animation = await sharp(await bytesOf(gif), { animated: true }).metadata()
    expect(animation).toMatchObject({ format: 'gif', width: 512, pageHeight: 512 })
    expect(animation.pages).toBeGreaterThan(1)
    const ground = await groundOf(image)
    for (const [nth, value] of [0x20, 0x40, 0x60].entries()) {
      expect(Math.abs((ground[nth] ?? 0) - value)).toBeLessThan(6)
    }
  })

  it('again and again shows what was stored last, leaves no older picture, and tells once of the missing ffmpeg', async () => {
    const id = await newId()
    await store(id, { background: '#ff0000' })
    await untilDrawing()
    for (const background of ['#00ff00', '#ffff00', '#0000ff']) await store(id, { background })
    // One that is being drawn, and one for all that came since.
    expect(await jobs()).toHaveLength(2)
    const first = await drawn(id)
    await untilIdle()
    expect(await locations(id)).toEqual(first)
    const [red = 0, green = 0, blue = 0] = await groundOf(first.image)
    expect(red + green).toBeLessThan(12)
    expect(blue).toBeGreaterThan(248)

    await store(id, { background: '#ff0000' })
    const second = await drawn(id, first)
    expect(await kept(id)).toHaveLength(2)
    for (const url of Object.values(first)) expect((await load(url)).status).toBe(404)
    for (const url of Object.values(second)) expect((await load(url)).status).toBe(200)
    expect(service.logged.filter((line) => line.includes('There is no ffmpeg'))).toHaveLength(1)
  })

  it('that changes nothing to see draws nothing, but says again where the pictures are', async () => {
    const id = await newId()
    await store(id, { theme: 'night' })
    const first = await drawn(id)
    const before = await kept(id)
    await anna.post(at(id, '/json/VisualizerFileLocations'), { data: {} })
    await store(id, { theme: 'night', note: 'of my own' })

    expect(await drawn(id)).toEqual(first)
    expect(await kept(id)).toEqual(before)
  })

  it('by somebody else, or other data, draws nothing', async () => {
    const id = await newId()
    const eve = await register(service, { password: null })
    expect((await store(id, {}, eve)).status).toBe(403)
    await anna.post(at(id, '/json/VisualizerName'), { data: 'Fire' })
    expect(await jobs()).toEqual([])
  })

  it('leaves a locked entry as it is', async () => {
    const id = await newId()
    const entry = at(id, '/json/VisualizerFileLocations')
    await anna.post(entry, { data: { image: 'https://example.com/own.png' } })
    const lock = entry.replace('/emoji_id/', '/admin/emoji_ids/')
    expect((await admin.put(`${lock}/lock`, { is_locked: true })).status).toBe(200)
    await store(id, {})
    await untilIdle()

    expect(await locations(id)).toEqual({ image: 'https://example.com/own.png' })
    expect(await kept(id)).toEqual([])
  })
})

describe('a picture', () => {
  let image: string | undefined
  let gif: string | undefined
  beforeAll(async () => {
    const id = await newId()
    await store(id, {})
    ;({ image, gif } = await drawn(id))
  })

  it('is kept by whoever has it, and read by pages of everybody', async () => {
    for (const [url, type] of [
      [image, 'image/png'],
      [gif, 'image/gif'],
    ]) {
      const { status, headers } = await load(url)
      expect([status, headers.get('content-type')]).toEqual([200, type])
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('access-control-allow-origin')).toBe('*')
      expect(headers.get('etag')).toMatch(/^"[0-9a-f]{64}"$/)
    }
  })

  it('is not sent again to whoever has it', async () => {
    const etag = (await load(image)).headers.get('etag') ?? ''
    const again = await load(image, { 'if-none-match': etag })
    expect([again.status, await again.text()]).toEqual([304, ''])
    expect(again.headers.get('cache-control')).toContain('immutable')
    expect((await load(image, { 'if-none-match': '"other"' })).status).toBe(200)
  })

  it('has a head', async () => {
    const { status, headers } = await load(image, {}, 'HEAD')
    expect(status).toBe(200)
    expect(Number(headers.get('content-length'))).toBe((await bytesOf(image)).length)
  })

  it.each([
    ['bytes=0-9', 0, 10],
    ['bytes=10-', 10, undefined],
    ['bytes=-7', -7, undefined],
    ['bytes=5-999999999', 5, undefined],
  ])('comes in parts: %s', async (range, from, to) => {
    const whole = await bytesOf(image)
    const answer = await load(image, { range })
    const part = whole.subarray(from, to)
    const first = from < 0 ? whole.length + from : from
    expect(answer.status).toBe(206)
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(part)
    expect(answer.headers.get('content-range')).toBe(
      `bytes ${first}-${first + part.length - 1}/${whole.length}`,
    )
  })

  it.each(['bytes=9-5', 'bytes=-0', 'bytes=99999999-', 'bytes=0-1,4-5', 'bytes=x', 'lines=1-2'])(
    'comes whole when the part makes no sense: %s',
    async (range) => {
      const answer = await load(image, { range })
      expect([answer.status, (await answer.arrayBuffer()).byteLength]).toEqual([
        ...[200, (await bytesOf(image)).length],
      ])
    },
  )

  it.each(['x', `${'0'.repeat(64)}.png`, `${'0'.repeat(64)}.svg`, '%2e%2e%2fsecrets', '%00'])(
    'that there is not is a plain 404 or 400: %s',
    async (file) => {
      const answer = await service.get(`/api/pictures/${file}`)
      expect([400, 404]).toContain(answer.status)
      expect(answer.headers.get('content-type')).toContain('json')
      expect(answer.headers.get('cache-control') ?? '').not.toContain('immutable')
    },
  )

  it('is not found under another ending', async () => {
    expect((await load(image?.replace('.png', '.gif'))).status).toBe(404)
  })
})

describe('an id that changes hands', () => {
  it('that is released shows no pictures any more, to nobody (T119)', async () => {
    const id = await newId()
    await store(id, {})
    const before = await drawn(id)
    expect((await anna.delete(at(id))).status).toBe(200)
    for (const url of Object.values(before)) expect((await load(url)).status).toBe(404)
    expect(await kept(id)).toEqual([])

    await newId(id)
    expect(await locations(id)).toEqual({})
    await untilIdle()
    expect(await locations(id)).toEqual({})
  })

  it('while it is drawn gets none of it (T119)', async () => {
    const id = await newId()
    await store(id, { background: '#ff0000' })
    await untilDrawing()
    expect((await anna.delete(at(id))).status).toBe(200)
    await newId(id)
    await untilIdle()

    expect(await locations(id)).toEqual({})
    expect(await kept(id)).toEqual([])
  })

  it('while it is drawn, with what is stored, is drawn for whoever has it then', async () => {
    const id = await newId()
    await store(id, {})
    await untilDrawing()
    await service.db
      .updateTable('emoji_ids')
      .set({ pubkey: null })
      .where('emoji_id', '=', id)
      .execute()
    await drawn(id)
    await untilIdle()
    expect(await kept(id)).toHaveLength(2)
  })

  it('loses its pictures with the entry that asked for them', async () => {
    const id = await newId()
    await store(id, {})
    const { image } = await drawn(id)
    await service.db.deleteFrom('store_entries').where('emoji_id', '=', id).execute()

    expect((await load(image)).status).toBe(404)
    expect(await kept(id)).toEqual([])
  })
})

it('where there is an ffmpeg the videos are named and served too', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'emojid-ffmpeg-'))
  const FFMPEG_PATH = join(folder, 'ffmpeg')
  await writeFile(FFMPEG_PATH, videoMaker, { mode: 0o755 })
  const filming = await testService({ env: { ...env, FFMPEG_PATH } })
  try {
    const ben = await registerAs(filming, 'Admin')
    const id = await grant(ben, { user_id: ben.id })
    await store(id, {}, ben)
    const { image, gif, video, webm } = await drawn(id, {}, filming)
    const types = await Promise.all(
      [image, gif, video, webm].map(async (url) => {
        const { status, headers } = await fetch(filming.address + pathOf(url))
        return [status, headers.get('content-type')]
      }),
    )
    expect(types.flat()).toEqual([
      ...[200, 'image/png', 200, 'image/gif', 200, 'video/mp4', 200, 'video/webm'],
    ])
    const text = await (await fetch(filming.address + pathOf(webm))).text()
    expect(text).toContain('libvpx-vp9')
  } finally {
    await filming.close()
    await rm(folder, { recursive: true })
  }
})

it('a service that stops while it draws stops in time, and the next one draws', async () => {
  const database = await testDatabase()
  const start = () => testService({ databaseUrl: database.url, env })
  const first = await start()
  const ben = await registerAs(first, 'Admin')
  const id = await grant(ben, { user_id: ben.id })
  await store(id, {}, ben)
  await untilDrawing(first)
  await sleep(200)
  const asked = Date.now()
  await first.close()
  const stoppedAfter = Date.now() - asked
  const next = await start()
  try {
    expect(stoppedAfter).toBeLessThan(9_000)
    expect(await drawn(id, {}, next)).toHaveProperty('image')
  } finally {
    await next.close()
    await database.drop()
  }
})
