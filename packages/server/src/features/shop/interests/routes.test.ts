import { beforeAll, describe, expect, it } from 'vitest'
import { grant, newId } from '../../../../test/support/ids.ts'
import { newcomer, type Person, registerAs } from '../../../../test/support/people.ts'
import type { TestService } from '../../../../test/support/service.ts'
import { sharedService } from '../../../../test/support/shared-service.ts'

let service: TestService
let admin: Person
/** Gets only errors, and owns nothing. */
let patient: Person
beforeAll(async () => {
  service = await sharedService()
  admin = await registerAs(service, 'Admin')
  patient = await person()
})

type Interest = { id: string; user_id: string; emoji_id: string; created_at: string }
type Page = { data: Interest[]; paging: Record<string, unknown> }
const person = () => newcomer(service)
const path = (id: string) => `/api/user_interests/${encodeURIComponent(id)}`
const want = (by: Pick<Person, 'post'>, emoji_id: unknown) =>
  by.post('/api/user_interests', { emoji_id })
const listOf = async (by: Pick<Person, 'get'>, query = '') =>
  (await by.get(`/api/user_interests${query}`)).json<Page>()

describe('an interest', () => {
  it('is registered, shown, listed and deleted by its user', async () => {
    const [anna, id] = [await person(), newId()]
    const response = await want(anna, id)
    expect(response.status).toBe(200)
    const interest = response.json<Interest>()
    expect(interest).toMatchObject({ emoji_id: id, user_id: anna.id, notified_at: null })

    expect((await anna.get(path(id))).json()).toEqual(interest)
    expect((await listOf(anna)).data).toEqual([interest])
    const deletionAnswer = await anna.delete(path(id))
    expect([deletionAnswer.status, deletionAnswer.json()]).toEqual([200, interest])

    expect((await anna.get(path(id))).status).toBe(404)
    expect((await anna.delete(path(id))).status).toBe(404)
    expect((await listOf(anna)).data).toEqual([])
    expect((await want(anna, id)).status).toBe(200)
  })

  it('exists once for each user and id', async () => {
    const [anna, bert, id] = [await person(), await person(), newId()]
    expect((await want(anna, id)).status).toBe(200)
    const secondAnswer = await want(anna, id)
    expect(secondAnswer.status).toBe(422)
    expect(secondAnswer.json()).toMatchObject({ fields: { emoji_id: [{ code: 'uniqueness' }] } })
    expect((await want(bert, id)).status).toBe(200)
  })

  it('may be in an owned id, in an unowned id, and in an id that is not for sale', async () => {
    const [anna, bert] = [await person(), await person()]
    const takenId = await grant(admin, { user_id: bert.id })
    for (const id of [takenId, newId(), '🔥']) expect((await want(anna, id)).status).toBe(200)
  })

  it('can’t be in an own id', async () => {
    const anna = await person()
    const own = await grant(admin, { user_id: anna.id })
    const refusal = await want(anna, own)
    expect(refusal.status).toBe(422)
    expect(refusal.json()).toMatchObject({ fields: { emoji_id: [{ code: 'eligibility' }] } })
    expect((await listOf(anna)).data).toEqual([])
  })

  it.each([
    ['❤🦀🌴', '❤️🦀🌴'],
    ['❤️🦀🦀', '❤🦀🦀'],
    ['❤︎🦀🌊', '❤️🦀🌊'],
    ['👋🏽🦀🌴', '👋🦀🌴'],
  ])(
    'in %s is the same as in %s, and returned in its canonical format (T100)',
    async (one, other) => {
      const anna = await person()
      const interest = (await want(anna, one)).json<Interest>()
      const canonical = one.startsWith('👋') ? '👋🦀🌴' : `❤️${[...one].slice(-2).join('')}`

      expect(interest.emoji_id).toBe(canonical)
      expect((await want(anna, other)).status).toBe(422)
      expect((await anna.get(path(other))).json()).toEqual(interest)
      expect((await anna.delete(path(other))).json()).toEqual(interest)
    },
  )

  it.each([
    '',
    'x',
    ' ',
    '🦀\u200d🦀',
    '🇩',
    '1️⃣',
    '🏴󠁧󠁢',
    '\u202e🦀',
    '🦀🦀🦀🦀🦀🦀🦀',
    "' OR 1=1--",
    '%',
    '_',
    '\\',
    '\u0000',
    '🦀🏽',
  ])('in %j is rejected as an invalid id (T100, T109)', async (id) => {
    const anna = patient
    expect((await want(anna, id)).status).toBe(400)
    if (id === '') return
    expect((await anna.get(path(id))).status).toBe(400)
    expect((await anna.delete(path(id))).status).toBe(400)
  })

  it.each([{}, { emoji_id: null }, { emoji_id: 7 }, { emoji_id: ['🦀🦀🦀'] }, [], 'text', null])(
    'is not registered by the body %j',
    async (body) => {
      const anna = patient
      expect((await anna.post('/api/user_interests', body)).status).toBe(400)
      expect((await listOf(anna)).data).toEqual([])
    },
  )

  it('is limited to 200 per user', async () => {
    const anna = await person()
    const at = new Date()
    const many = Array.from({ length: 199 }, (_, nth) => ({
      user_id: anna.id,
      emoji_id: `number ${nth}`,
      notified_at: null,
      created_at: at,
      updated_at: at,
    }))
    await service.db.insertInto('interests').values(many).execute()
    const id = newId()

    expect((await want(anna, id)).status).toBe(200)
    expect((await want(anna, newId())).json()).toMatchObject({ code: 'too_many_interests' })
    expect((await want(anna, id)).json()).toMatchObject({ code: 'uniqueness' })
    expect((await listOf(anna)).paging).toMatchObject({ total: 200 })
    await anna.delete(path(id))
    expect((await want(anna, newId())).status).toBe(200)
  })
})

describe('the list', () => {
  it('has pages and an order', async () => {
    const anna = await person()
    const ids = ['🦀🦀🐙', '🌴🌴🐙', '🍕🍕🐙']
    for (const id of ids) {
      await want(anna, id)
      service.clock.advance(1_000)
    }
    const listInterests = async (query: string) =>
      (await listOf(anna, query)).data.map(({ emoji_id }) => emoji_id)

    expect(await listInterests('')).toEqual(ids.toReversed())
    expect(await listInterests('?dir=Asc')).toEqual(ids)
    expect(await listInterests('?dir=Asc&limit=2&page=1')).toEqual(['🍕🍕🐙'])
    expect(await listInterests('?sort=emoji_id&dir=Asc')).toEqual(ids.toSorted())
    const { paging } = await listOf(anna, '?limit=2')
    const expectedPaging = { total: 3, page: 0, limit: 2, sort: 'created_at', dir: 'Desc' }
    expect(paging).toMatchObject(expectedPaging)
  })

  it('shows only interests of the caller, even to administrators (T60)', async () => {
    const [anna, bert, id] = [await person(), await person(), newId()]
    await want(anna, id)

    for (const other of [bert, admin]) {
      expect((await listOf(other, `?user_id=${anna.id}`)).data).toEqual([])
      expect((await other.get(path(id))).status).toBe(404)
      expect((await other.delete(path(id))).status).toBe(404)
    }
    expect((await listOf(anna)).data).toHaveLength(1)
  })
})

describe('a deleted account', () => {
  it('has no interests left', async () => {
    const anna = await person()
    await want(anna, newId())
    expect((await anna.delete(`/api/users/${anna.id}`)).status).toBe(200)
    const remainingInterests = await service.db
      .selectFrom('interests')
      .select('id')
      .where('user_id', '=', anna.id)
      .execute()
    expect(remainingInterests).toEqual([])
  })
})
