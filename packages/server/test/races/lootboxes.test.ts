import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../support/ids.ts'
import { type Box, makeBox, makeType } from '../support/lootboxes.ts'
import { type Person, registerAs } from '../support/people.ts'
import { type TestService, testService, usualPool } from '../support/service.ts'
import { type Buyer, buyer } from '../support/shop.ts'

let service: TestService
/** Another process on the same data. */
let second: TestService
let admin: Person
let owner: Buyer
let other: Buyer
beforeAll(async () => {
  const env = { ...usualPool, FREE_CEILING_CENTS: '100000000' }
  service = await testService({ env })
  second = await testService({ env, databaseUrl: String(service.database?.url) })
  admin = await registerAs(service, 'Admin')
  owner = await buyer(service)
  other = await buyer(service)
})
afterAll(async () => {
  await second.close()
  await service.close()
})

const path = ({ id }: Pick<Box, 'id'>, rest = '') => `/api/lootboxes/${id}${rest}`
const ownedBy = async (user_id: string, yats: readonly string[]) =>
  (
    await service.db
      .selectFrom('emoji_ids')
      .innerJoin('keys', 'keys.pubkey', 'emoji_ids.pubkey')
      .select('emoji_id')
      .where('keys.user_id', '=', user_id)
      .where('emoji_id', 'in', yats)
      .execute()
  ).length
const bodyOf = ({ body }: { body: string }) => body.slice(0, 300)
const reserved = (ids: readonly string[]) =>
  service.db.selectFrom('reservations').selectAll().where('emoji_id', 'in', ids).execute()

describe('a lootbox', () => {
  it('opened 8 times at once, at two processes, grants its ids once and shows the same (T98, R4)', async () => {
    const yats = [newId(), newId(), newId()]
    const box = await makeBox(admin, { status: 'Owned', owner_id: owner.id, yats })
    const headers = { authorization: `Bearer ${owner.tokens.access_token}` }
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        (n % 2 ? service : second).post(path(box, '/open'), undefined, { headers }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1)
    expect(await ownedBy(owner.id, yats)).toBe(3)
    const openingAnswer = await admin.get('/api/admin/audit?event=lootbox.opened&limit=200')
    const own = openingAnswer.json<{ data: { details: { lootbox_id: string } }[] }>().data
    expect(own.filter(({ details }) => details.lootbox_id === box.id)).toHaveLength(1)
  })

  it('opened while it is given to another user goes to one of them (T98)', async () => {
    for (let round = 0; round < 2; round++) {
      const yats = [newId(), newId()]
      const box = await makeBox(admin, { status: 'Owned', owner_id: owner.id, yats })
      const [openingAnswer, moveAnswer] = await Promise.all([
        owner.post(path(box, '/open')),
        admin.patch(path(box), { status: 'Owned', owner_id: other.id }),
      ])
      const isOpened = openingAnswer.status === 200
      expect([openingAnswer.status, moveAnswer.status]).toEqual(isOpened ? [200, 422] : [404, 200])
      expect(await ownedBy(owner.id, yats)).toBe(isOpened ? 2 : 0)
      expect(await reserved(yats)).toHaveLength(isOpened ? 0 : 2)
    }
  })

  it('deleted while it is opened is either opened or deleted', async () => {
    for (let round = 0; round < 2; round++) {
      const yats = [newId(), newId()]
      const box = await makeBox(admin, { status: 'Available', yats })
      const [deletionAnswer, useAnswer] = await Promise.all([
        admin.delete(path(box)),
        admin.patch(path(box), { status: 'Used', owner_id: owner.id }),
      ])
      const isUsed = useAnswer.status === 200
      expect([deletionAnswer.status, useAnswer.status]).toEqual(isUsed ? [422, 200] : [200, 404])
      expect(await ownedBy(owner.id, yats)).toBe(isUsed ? 2 : 0)
      expect(await reserved(yats)).toEqual([])
    }
  })
})

describe('an id', () => {
  it('boxed, bought and granted at once has one owner or is in one box', async () => {
    await service.db
      .updateTable('users')
      .set({ free_limit: 1_000 })
      .where('id', 'in', [owner.id, other.id])
      .execute()
    for (let round = 0; round < 2; round++) {
      const id = newId()
      await owner.add(id)
      const [boxAnswer, purchaseAnswer, grantAnswer] = await Promise.all([
        admin.post('/api/lootboxes', { status: 'Draft', yats: [id, newId()] }),
        owner.post('/api/cart/checkout', { method: 'Free' }),
        admin.post('/api/admin/emoji_ids', { emoji_id: id, user_id: other.id }),
      ])
      const answers = [boxAnswer, purchaseAnswer, grantAnswer]
      const got = answers.map(({ status }) => status === 200)
      expect(
        answers.map(({ status }) => status).toSorted(),
        answers.map(bodyOf).join('\n'),
      ).toEqual([200, 422, 422])
      expect(await reserved([id])).toHaveLength(got[0] ? 1 : 0)
      expect(await ownedBy(owner.id, [id])).toBe(got[1] ? 1 : 0)
      expect(await ownedBy(other.id, [id])).toBe(got[2] ? 1 : 0)
      await owner.delete('/api/cart')
    }
  })

  it('an id of a scarce type goes to a box or to a buyer, never to both', async () => {
    const single = { min_length: 1, max_length: 1, min_base_score: 100, max_base_score: 100 }
    const type = await makeType(admin, { ...single, size: 20 })
    const alphabet = (await service.get('/api/emoji')).json<string[]>()
    const granting = async (part: number) => {
      for (const emoji_id of alphabet.slice(part * 5, part * 5 + 5)) {
        await admin.post('/api/admin/emoji_ids', { emoji_id, user_id: other.id })
      }
    }
    const body = { loot_box_type_id: type.id, num_boxes: 3 }
    const drawing = () => admin.post('/api/lootbox_type/generate', body)
    const [drawAnswers] = await Promise.all([
      Promise.all([drawing(), drawing(), drawing()]),
      Promise.all([0, 1, 2, 3].map(granting)),
    ])
    // A busy database may refuse one of them, which draws nothing.
    expect(drawAnswers.filter(({ status }) => status !== 200 && status !== 503)).toEqual([])
    const boxed = drawAnswers
      .filter(({ status }) => status === 200)
      .flatMap((answer) => answer.json<{ loot_boxes: Box[] }>().loot_boxes)
      .flatMap(({ yats }) => yats)
    expect(boxed.length).toBeGreaterThan(0)
    expect(new Set(boxed).size).toBe(boxed.length)
    expect(await ownedBy(other.id, boxed)).toBe(0)
    expect(await reserved(boxed)).toHaveLength(boxed.length)
  })
})
