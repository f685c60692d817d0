import { emojiAlphabet, heldBackEmojis } from '@emojid/core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Box, makeType, typeBody } from '../support/lootboxes.ts'
import { type Person, registerAs } from '../support/people.ts'
import { type TestService, testService } from '../support/service.ts'

let service: TestService
let admin: Person
beforeAll(async () => {
  service = await testService()
  admin = await registerAs(service, 'Admin')
})
afterAll(() => service.close())

/** Every other box holds a one-emoji id. Only those score 100. */
const coin = {
  size: 1,
  min_length: 1,
  max_length: 2,
  min_base_score: 87,
  max_base_score: 99,
  weights: [{ ipr: 2, min_score: 100, max_score: 100 }],
}
const single = emojiAlphabet.filter((emoji) => !heldBackEmojis().has(emoji))
const draw = (loot_box_type_id: string, num_boxes: number) =>
  admin.post('/api/lootbox_type/generate', { loot_box_type_id, num_boxes })
const isJackpot = ({ scores }: Box) => scores[0] === 100
const boxesFrom = (answers: Awaited<ReturnType<typeof draw>>[]) =>
  answers.flatMap(({ status, json }) =>
    status === 200 ? json<{ loot_boxes: Box[] }>().loot_boxes : [],
  )

it('new boxes have the odds of their type, even with few ids left', async () => {
  const rest = 100
  const ownedRows = single.slice(rest).map((emoji_id) => ({
    emoji_id,
    display_format: emoji_id,
    generation: 1,
    token_id: null,
    pubkey: null,
    blocked_until: null,
  }))
  await service.db.insertInto('emoji_ids').values(ownedRows).execute()
  const type = await makeType(admin, coin)
  expect(type).toMatchObject({ exhausted_at: null, odds: { ranges: [{ probability: 0.5 }, {}] } })

  const receivedBoxes: Box[] = []
  let statuses: number[] = []
  // Repeated and concurrent requests give no further chance.
  for (let round = 0; round < 40 && !statuses.includes(422); round++) {
    const answers = await Promise.all([10, 5, 5, 1].map((count) => draw(type.id, count)))
    statuses = answers.map(({ status }) => status)
    // A busy database may refuse one of them, which draws nothing.
    expect(statuses.filter((status) => ![200, 422, 503].includes(status))).toEqual([])
    receivedBoxes.push(...boxesFrom(answers))
  }

  const refusal = await draw(type.id, 1)
  expect([refusal.status, refusal.json()['code']]).toEqual([422, 'exhausted_range'])
  const writtenQuery = service.db.selectFrom('lootboxes').select('id')
  expect(await writtenQuery.execute()).toHaveLength(receivedBoxes.length)
  const jackpots = receivedBoxes.filter(isJackpot).length
  // The number drawn before a range counts as empty is random as well: mostly sixty.
  expect(jackpots).toBeGreaterThan(10)
  // (seen - expected)² / expected for both outcomes: above 20 once in 100,000 times.
  const expected = receivedBoxes.length / 2
  const chiSquared = (2 * (jackpots - expected) ** 2) / expected
  expect(chiSquared).toBeLessThan(20)
})

it('a new type whose ids ran out draws nothing, instead of only the remaining rarities', async () => {
  const rest = single.map((emoji_id) => ({
    emoji_id,
    display_format: emoji_id,
    generation: 1,
    token_id: null,
    pubkey: null,
    blocked_until: null,
  }))
  const ignoringQuery = service.db.insertInto('emoji_ids').values(rest)
  await ignoringQuery.onConflict((conflict) => conflict.doNothing()).execute()
  for (let n = 0; n < 2; n++) {
    const type = (await admin.post('/api/lootbox_type', typeBody(coin))).json<{ id: string }>()
    const first = await draw(type.id, 10)
    expect(boxesFrom([first])).toEqual([])
    expect((await draw(type.id, 10)).json()).toMatchObject({ code: 'exhausted_range' })
    const types = (await admin.get('/api/lootbox_type')).json<object[]>()
    expect(types).toContainEqual(
      expect.objectContaining({ id: type.id, exhausted_at: expect.any(String) }),
    )
  }
  const audit = await admin.get('/api/admin/audit?event=lootbox_type.exhausted')
  expect(audit.json<{ data: object[] }>().data.length).toBeGreaterThanOrEqual(2)
})
