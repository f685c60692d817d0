import sharp from 'sharp'
import { beforeAll, expect, it } from 'vitest'
import { at, grant, newId } from '../../../test/support/ids.ts'
import { goodPassword, newcomer, type Person, registerAs } from '../../../test/support/people.ts'
import { type TestService, testService } from '../../../test/support/service.ts'
import { sharedService } from '../../../test/support/shared-service.ts'

let service: TestService
let admin: Person
let anna: Person
beforeAll(async () => {
  service = await sharedService()
  admin = await registerAs(service, 'Admin')
  anna = await newcomer(service, { password: goodPassword })
})

const standInCaching = 'public, max-age=60'
const cardOf = (id: string) => `/art/ids/${encodeURIComponent(id)}.png`
const ask = async (id: string, headers: Record<string, string> = {}, { address } = service) => {
  const answer = await fetch(address + cardOf(id), { headers })
  return {
    status: answer.status,
    headers: answer.headers,
    picture: Buffer.from(await answer.arrayBuffer()),
  }
}
/** Requests again while the stand-in is sent: the machine may be busy. */
async function readCard(id: string) {
  for (;;) {
    const answer = await ask(id)
    if (answer.headers.get('cache-control') !== standInCaching) return answer
  }
}
const newOwned = () => grant(admin, { user_id: anna.id })
const standIn = async () => {
  const answer = await fetch(`${service.address}/art/directory.png`)
  return Buffer.from(await answer.arrayBuffer())
}

it('the preview card shows the id at the size that link previews need, and another picture for another id', async () => {
  const [one, other] = await Promise.all(['🔥🐍', await newOwned()].map(readCard))
  for (const answer of [one, other]) {
    expect(answer?.status).toBe(200)
    expect(answer?.headers.get('content-type')).toBe('image/png')
    expect(answer?.headers.get('cache-control')).toBe('public, no-cache')
    const { width, height, format } = await sharp(answer?.picture).metadata()
    expect({ width, height, format }).toEqual({ width: 1200, height: 630, format: 'png' })
    expect(answer?.picture.length).toBeLessThan(300_000)
  }
  const directory = await standIn()
  expect(one?.picture.equals(other?.picture ?? directory)).toBe(false)
  expect(one?.picture.equals(directory)).toBe(false)
  // The picture is mostly light, and its middle is not empty.
  const { channels } = await sharp(one?.picture).stats()
  for (const { mean } of channels) expect(mean).toBeGreaterThan(180)
  const row = await sharp(one?.picture).extract({ left: 350, top: 160, width: 500, height: 240 })
  expect((await row.stats()).entropy).toBeGreaterThan(2)
})

it('the preview card is the preview picture of the page of an id', async () => {
  const id = await newOwned()
  const { body } = await service.get(`/${encodeURIComponent(id)}`)
  const tag = (name: string) => new RegExp(`"${name}" content="([^"]*)"`).exec(body)?.[1]
  for (const name of ['og:image', 'twitter:image'])
    expect(tag(name)).toBe(service.webUrl + cardOf(id))
  expect(tag('twitter:card')).toBe('summary_large_image')
  expect([tag('og:image:width'), tag('og:image:height')]).toEqual(['1200', '630'])
  expect(tag('og:image:alt')).toMatch(/^emoji id: /)
})

it('the preview card shows the skin tones that the owner prefers, and is gone once the owner has released the id', async () => {
  await grant(admin, { user_id: anna.id }, '👋🏿🔥🐙')
  const tonedCard = await readCard('👋🔥🐙')
  await anna.delete(at('👋🔥🐙'))
  expect((await ask('👋🔥🐙')).status).toBe(404)
  await grant(admin, { user_id: anna.id }, '👋🔥🐙')
  const plain = await readCard('👋🔥🐙')
  expect([tonedCard.status, plain.status]).toEqual([200, 200])
  expect(tonedCard.picture.equals(plain.picture)).toBe(false)
})

it('the preview card answers 304 to a client that has the current picture', async () => {
  const etag = (await readCard('🔥🐍')).headers.get('etag') ?? ''
  expect(etag).toMatch(/^"/)
  const secondAnswer = await ask('🔥🐍', { 'if-none-match': etag })
  expect([secondAnswer.status, secondAnswer.picture.length]).toEqual([304, 0])
})

it.each(['🐙🐙🐙🐙🐙', '', '🔥', 'fire', '🔥A', '../directory', 'x'.repeat(500)])(
  'the preview card exists for registered ids only: “%s”',
  async (id) => {
    expect((await ask(id)).status).toBe(404)
  },
)

it('the preview card is drawn for a few at a time; a flood gets the stand-in and delays no other request', async () => {
  const [few, more] = [8, 4]
  const ids = Array.from({ length: few + more }, newId)
  // Its own service: pictures still being drawn end with it.
  const flooded = await testService({ env: { ROLES: 'web,api' } })
  const rows = ids.map((id) => ({ emoji_id: id, display_format: id, generation: 1 }))
  await flooded.db.insertInto('emoji_ids').values(rows).execute()
  const directory = await standIn()
  const answers: Awaited<ReturnType<typeof ask>>[] = []
  for (const id of ids) {
    void ask(id, {}, flooded).then(
      (answer) => answers.push(answer),
      () => {},
    )
  }
  // Requests over the limit are answered before the first picture is drawn.
  await expect.poll(() => answers.length).toBeGreaterThanOrEqual(more)
  for (const { status, headers, picture } of answers.slice(0, more)) {
    expect([status, headers.get('cache-control')]).toEqual([200, standInCaching])
    expect(picture.equals(directory)).toBe(true)
  }
  expect((await flooded.get(at('🔥🐍'))).status).toBe(200)
  await flooded.close()
})
