import { randomUUID } from 'node:crypto'
import {
  contentsHash,
  emojisOf,
  isReleased,
  parseEmojiId,
  recomputeBox,
  seedHash,
} from '@emojid/core'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { at, grant, newId } from '../../../test/support/ids.ts'
import {
  type Box,
  type BoxType,
  config,
  generate,
  makeBox,
  makeType,
  proofOf,
  sealInFirstFormat,
  typeBody,
} from '../../../test/support/lootboxes.ts'
import { masterKey } from '../../../test/support/own-keys.ts'
import { type Person, registerAs } from '../../../test/support/people.ts'
import { type TestService, testService } from '../../../test/support/service.ts'
import { createSealer } from '../../platform/crypto/seal.ts'

let service: TestService
let admin: Person
let owner: Person
beforeAll(async () => {
  service = await testService()
  admin = await registerAs(service, 'Admin')
  owner = await registerAs(service, 'User')
})
afterAll(() => service.close())

const outcomeOf = (answer: { status: number; json(): Record<string, unknown> }) => [
  answer.status,
  answer.json()['code'],
]
const open = async ({ id }: Pick<Box, 'id'>) => {
  await admin.patch(`/api/lootboxes/${id}`, { status: 'Owned', owner_id: owner.id })
  return (await owner.post(`/api/lootboxes/${id}/open`)).json<Box>()
}
const rich = {
  size: 6,
  min_base_score: 1,
  max_base_score: 39,
  guarantees: [{ count: 2, min_score: 40, max_score: 60 }],
  weights: [{ ipr: 2, min_score: 61, max_score: 75 }],
}
/** The few ids of one emoji. */
const single = { min_length: 1, max_length: 1, min_base_score: 100, max_base_score: 100 }

describe('a type', () => {
  it('a type shows the chances of its weights', async () => {
    const type = await makeType(admin, rich)
    expect(type.odds).toEqual({
      slots: 4,
      ranges: [
        { min_score: 61, max_score: 75, probability: 0.5, at_least_one: 1 - 0.5 ** 4 },
        { min_score: 1, max_score: 39, probability: 0.5, at_least_one: 1 - 0.5 ** 4 },
      ],
    })
    const boxTypes = (await admin.get('/api/lootbox_type')).json<BoxType[]>()
    expect(boxTypes.find(({ id }) => id === type.id)).toEqual(type)
  })

  it('includes guaranteed ids in its chances', async () => {
    const weights = [{ ipr: 10, min_score: 40, max_score: 60 }]
    const type = await makeType(admin, { ...rich, weights })
    const [likely, base] = type.odds.ranges
    expect(likely).toEqual({ min_score: 40, max_score: 60, probability: 0.1, at_least_one: 1 })
    expect(base?.at_least_one).toBeCloseTo(1 - 0.1 ** 4)
  })

  it.each<[string, object, number]>([
    ['a weight of 0', { weights: [{ ipr: 0, min_score: 1, max_score: 2 }] }, 400],
    ['a weight below 0', { weights: [{ ipr: -3, min_score: 1, max_score: 2 }] }, 400],
    ['a weight that is no number', { weights: [{ ipr: '9', min_score: 1, max_score: 2 }] }, 400],
    ['scores reversed', { min_base_score: 60, max_base_score: 1 }, 422],
    ['scores of a weight reversed', { weights: [{ ipr: 9, min_score: 9, max_score: 2 }] }, 422],
    ['lengths reversed', { min_length: 5, max_length: 3 }, 422],
    ['a length of 7', { max_length: 7 }, 400],
    ['a score of 101', { max_base_score: 101 }, 400],
    [
      'more guaranteed than its size',
      { guarantees: [{ count: 4, min_score: 1, max_score: 9 }] },
      422,
    ],
    ['no matching id', { min_length: 1, max_length: 1 }, 422],
    ['a huge size', { size: 1e9 }, 400],
    ['no ids', { size: 0 }, 400],
  ])('a type with %s is rejected', async (_what, more, status) => {
    const answer = await admin.post('/api/lootbox_type', typeBody(more))
    expect(answer.status).toBe(status)
  })

  it.each([
    ['a line end', '\n'],
    ['a null character', '\0'],
    ['a delete', '\u007f'],
    ['text turned around', '\u202e'],
    ['an isolate', '\u2066'],
    ['a line separator', '\u2028'],
  ])('a type with %s in its name or description is rejected', async (_what, hidden) => {
    for (const member of ['name', 'description']) {
      const body = { ...typeBody(), [member]: `Star${hidden}ter` }
      expect((await admin.post('/api/lootbox_type', body)).status).toBe(400)
    }
  })

  it('a type without a name, or with an unknown config, is rejected', async () => {
    const { name: _, ...nameless } = typeBody()
    for (const body of [
      nameless,
      { ...typeBody(), name: ' ' },
      { ...typeBody(), config: [] },
      {},
    ]) {
      expect((await admin.post('/api/lootbox_type', body)).status).toBe(400)
    }
    const injected = { ...typeBody(), name: "' OR 1=1--", description: '%_\\' }
    const boxType = (await admin.post('/api/lootbox_type', injected)).json<BoxType>()
    expect(boxType).toMatchObject({ name: "' OR 1=1--", description: '%_\\', config: config() })
  })
})

describe('generated boxes', () => {
  it('generated boxes are Drafts whose ids match the type and are reserved', async () => {
    const type = await makeType(admin, rich)
    const { loot_boxes } = await generate(admin, type.id, 2)
    const ids = loot_boxes.flatMap(({ yats }) => yats)
    expect(new Set(ids).size).toBe(12)
    for (const box of loot_boxes) {
      expect(box).toMatchObject({ status: 'Draft', lootbox_type_id: type.id, owner_id: null })
      expect(box.scores.slice(0, 2).every((score) => score >= 40 && score <= 60)).toBe(true)
      expect(box.scores.slice(2).every((score) => score < 40 || score > 60)).toBe(true)
      const parsedIds = box.yats.map(parseEmojiId)
      expect(parsedIds.every(isReleased)).toBe(true)
      const lengths = parsedIds.map((id) => emojisOf(id).length)
      expect(Math.min(...lengths) >= 3 && Math.max(...lengths) <= 5).toBe(true)
    }
    const reserved = await service.db
      .selectFrom('reservations')
      .select('emoji_id')
      .where('emoji_id', 'in', ids)
      .execute()
    expect(reserved).toHaveLength(12)
  })

  it('skip owned ids, and reveal that once they are opened', async () => {
    const alphabet = (await service.get('/api/emoji')).json<string[]>()
    const others = alphabet.slice(0, 300).map((emoji) => ({
      emoji_id: emoji,
      display_format: emoji,
      generation: 1,
      token_id: null,
      pubkey: null,
      blocked_until: null,
    }))
    await service.db
      .insertInto('emoji_ids')
      .values(others)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    // An id that another test reserved would be skipped for that.
    await service.db.deleteFrom('reservations').execute()
    const type = await makeType(admin, { ...single, size: 10 })
    const [box] = (await generate(admin, type.id)).loot_boxes
    const openedBox = await open(box as Box)
    const proof = await proofOf(service, openedBox.id)
    expect(openedBox.yats.some((yat) => alphabet.slice(0, 300).includes(yat))).toBe(false)
    expect(proof.rejected?.length).toBeGreaterThan(0)
    expect(proof.rejected?.every(({ reason }) => reason === 'owned')).toBe(true)
    expect(proof.recomputes).toBe(true)
  })

  it('end with the first that cannot be filled, which exhausts their type', async () => {
    const type = await makeType(admin, { ...single, size: 20 })
    const more = { loot_box_type_id: type.id, num_boxes: 25 }
    const answer = await admin.post('/api/lootbox_type/generate', more)
    const { loot_boxes, num_requested } = answer.json<{
      loot_boxes: Box[]
      num_requested: number
    }>()
    expect(num_requested).toBe(25)
    expect(loot_boxes.length).toBeLessThan(25)
    expect(loot_boxes.every(({ yats }) => new Set(yats).size === 20)).toBe(true)
    // On a busy machine the time may run out before the ids do.
    const ask = async () => outcomeOf(await admin.post('/api/lootbox_type/generate', more))
    await expect.poll(ask).toEqual([422, 'exhausted_range'])
    for (const { id } of loot_boxes) await admin.delete(`/api/lootboxes/${id}`)
  })

  it('need a valid number and an existing type', async () => {
    const { id: loot_box_type_id } = await makeType(admin)
    const ask = (body: object) =>
      admin.post('/api/lootbox_type/generate', { loot_box_type_id, num_boxes: 1, ...body })
    for (const num_boxes of [0, -1, 101, 1e9, 1.5, '1', null]) {
      expect((await ask({ num_boxes })).status).toBe(400)
    }
    expect(outcomeOf(await ask({ loot_box_type_id: randomUUID() }))).toEqual([
      404,
      'unknown_lootbox_type',
    ])
    expect((await ask({ loot_box_type_id: 'x' })).status).toBe(400)
  })

  it('generated boxes are limited in number, and other requests are served while they are drawn', async () => {
    const type = await makeType(admin, {
      size: 20,
      min_base_score: 61,
      max_base_score: 86,
      weights: [{ ipr: 10, min_score: 76, max_score: 80 }],
    })
    const more = { loot_box_type_id: type.id, num_boxes: 26 }
    const refusal = await admin.post('/api/lootbox_type/generate', more)
    expect(outcomeOf(refusal)).toEqual([422, 'too_many_boxes'])
    const grantedId = await grant(admin, { user_id: owner.id }, newId())
    let isOver = false
    const generated = generate(admin, type.id, 3).finally(() => {
      isOver = true
    })
    let servedCount = 0
    while (!isOver) {
      expect((await service.get(at(grantedId, '/BTC'))).status).toBeLessThan(500)
      if (!isOver) servedCount++
    }
    const { loot_boxes } = await generated
    expect(loot_boxes.length).toBeGreaterThan(0)
    expect(servedCount).toBeGreaterThan(3)
  })
})

describe('the proof of a box', () => {
  it('the proof of a box shows how it is drawn before, and everything after it is opened', async () => {
    const type = await makeType(admin, rich)
    const [box] = (await generate(admin, type.id)).loot_boxes as [Box]
    const before = await proofOf(service, box.id)
    expect(before).toMatchObject({
      seed: null,
      rejected: null,
      emoji_ids: null,
      recomputes: null,
      recipe: { algorithm: 2, config: type.config },
      seed_hash: box.seed_hash,
    })
    const openedBox = await open(box)
    const after = await proofOf(service, box.id)
    expect(after).toMatchObject({
      seed_hash: before.seed_hash,
      contents_hash: before.contents_hash,
      recomputes: true,
      emoji_ids: openedBox.yats,
    })
    const { recipe, seed, rejected } = after
    if (!recipe || !seed || !rejected) throw new Error('Nothing was revealed')
    expect(seedHash(seed)).toBe(before.seed_hash)
    expect(recomputeBox({ recipe, seed, rejected })).toEqual(openedBox.yats)
    const contents = { seed, emoji_ids: openedBox.yats, rejected }
    expect(contentsHash({ ...contents, recipe })).toBe(before.contents_hash)
    const others = { ...recipe, config: { ...recipe.config, weights: [] } }
    expect(contentsHash({ ...contents, recipe: others })).not.toBe(before.contents_hash)
  })

  it('the proof of a box from before recipes were bound is still valid', async () => {
    const type = await makeType(admin)
    const [box] = (await generate(admin, type.id)).loot_boxes as [Box]
    await sealInFirstFormat(service, box)
    await open(box)
    expect(await proofOf(service, box.id)).toMatchObject({
      recipe: { algorithm: 1, config: type.config },
      recomputes: true,
    })
  })

  it('reports a box that does not recompute', async () => {
    const type = await makeType(admin)
    const [box, other] = (await generate(admin, type.id, 2)).loot_boxes as [Box, Box]
    // An attacker with database access changes its ids.
    const [first = '', ...rest] = other.yats
    await service.db
      .updateTable('lootboxes')
      .set({ yats: [box.yats[0] ?? '', ...rest] })
      .where('id', '=', other.id)
      .execute()
    expect(first).not.toBe(box.yats[0])
    await open(other)
    expect(await proofOf(service, other.id)).toMatchObject({ recomputes: false })
  })

  it('covers a box filled by hand, without a draw', async () => {
    const box = await makeBox(admin, { yats: [newId(), newId()] })
    await admin.patch(`/api/lootboxes/${box.id}`, { yats: [newId()] })
    const before = await proofOf(service, box.id)
    expect(before).toMatchObject({ recipe: null, seed: null, recomputes: null })
    await open(box)
    expect(await proofOf(service, box.id)).toMatchObject({ recipe: null, recomputes: true })
  })

  it('the proof of a box does not exist for an unknown box', async () => {
    expect((await service.get(`/api/lootboxes/${randomUUID()}/proof`)).status).toBe(404)
    expect((await service.get('/api/lootboxes/x/proof')).status).toBe(400)
  })
})

it('the seed of an unopened box is in no table, log or response (T112, T114)', async () => {
  const type = await makeType(admin)
  const { loot_boxes } = await generate(admin, type.id, 2)
  const sealer = createSealer([masterKey])
  const answers: string[] = []
  const seeds: Buffer[] = []
  for (const { id } of loot_boxes) {
    await admin.patch(`/api/lootboxes/${id}`, { status: 'Owned', owner_id: owner.id })
    for (const person of [admin, owner]) {
      answers.push((await person.get(`/api/lootboxes/${id}`)).body)
      answers.push((await person.get(`/api/lootboxes/${id}/proof`)).body)
    }
    const row = await service.db
      .selectFrom('lootboxes')
      .select('sealed_seed')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    seeds.push(sealer.open(row.sealed_seed, `lootbox seed ${id}`))
  }
  const tables = await sql<{ name: string }>`
    select quote_ident(table_schema) || '.' || quote_ident(table_name) as name
    from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')
  `.execute(service.db)
  for (const { name } of tables.rows) {
    const { rows } = await sql<{ text: string }>`
      select t::text as text from ${sql.raw(name)} t`.execute(service.db)
    answers.push(...rows.map(({ text }) => text))
  }
  answers.push((await admin.get('/api/admin/audit?limit=200')).body, ...service.logged)
  const everything = answers.join('\n')
  // Guards against a false negative: the hashes are found.
  for (const { seed_hash } of loot_boxes) expect(everything).toContain(seed_hash)
  for (const seed of seeds) {
    expect(seed).toHaveLength(32)
    for (const form of ['hex', 'base64url', 'base64'] as const) {
      expect(everything).not.toContain(seed.toString(form).replace(/=+$/, ''))
    }
  }
})

it('the service counts discarded boxes in the proof of every box of their type, and none in the proof of a box filled by hand', async () => {
  const type = await makeType(admin)
  const { loot_boxes } = await generate(admin, type.id, 3)
  const [keptBox, ...others] = loot_boxes
  expect(await proofOf(admin, keptBox?.id ?? '')).toMatchObject({ discarded_boxes: 0 })
  for (const { id } of others) await admin.delete(`/api/lootboxes/${id}`)
  service.clock.advance(10_000)
  expect(await proofOf(admin, keptBox?.id ?? '')).toMatchObject({ discarded_boxes: 2 })
  const byHand = await makeBox(admin)
  expect(await proofOf(admin, byHand.id)).toMatchObject({ discarded_boxes: null })
})
