import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { at, grant, newId, recordsOf } from '../support/ids.ts'
import { callsWith, newcomer, type Person, registerAs } from '../support/people.ts'
import type { TestService } from '../support/service.ts'
import { sharedPair } from '../support/shared-service.ts'

let service: TestService
let second: TestService
let admin: Person
beforeAll(async () => {
  ;({ service, second } = await sharedPair())
  admin = await registerAs(service, 'Admin')
})

const act = (id: string, action: 'suspend' | 'restore') =>
  admin.post(`/api/admin/emoji_ids/${encodeURIComponent(id)}/${action}`, { reason: 'A race' })
const statusAt = async (where: TestService, id: string) => (await where.get(at(id))).status
const bitcoin = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'

async function ownedId() {
  const anna = await newcomer(service, { isVerified: true })
  return { anna, id: await grant(admin, { user_id: anna.id }) }
}

describe('a suspension', () => {
  it('a suspension takes effect immediately in the responding process, and soon in another that has the id cached', async () => {
    const { id } = await ownedId()
    for (const action of ['suspend', 'restore', 'suspend'] as const) {
      const [before, after] = action === 'suspend' ? [200, 451] : [451, 200]
      while ((await statusAt(second, id)) !== before) await sleep(5)
      expect(await statusAt(service, id)).toBe(before)
      expect((await act(id, action)).status).toBe(200)
      expect(await statusAt(service, id)).toBe(after)
      while ((await statusAt(second, id)) !== after) await sleep(5)
    }
  })

  it('a suspension leaves no edit behind that is acknowledged after it, in either process', async () => {
    const { anna, id } = await ownedId()
    const otherPerson = callsWith(second, anna.tokens)
    const insert = [{ tag: '0x1003', data: bitcoin }]
    const [first, other, suspensionAnswer] = await Promise.all([
      anna.patch(at(id), { insert }),
      otherPerson.patch(at(id), { insert: [{ tag: '0x5001', data: 'me' }] }),
      act(id, 'suspend'),
    ])
    expect(suspensionAnswer.status).toBe(200)
    const late = await otherPerson.patch(at(id), { insert: [{ tag: '0x5001', data: 'late' }] })
    expect(late.status).toBe(451)
    expect((await act(id, 'restore')).status).toBe(200)
    const successes = [first, other].filter(({ status }) => status === 200).length
    expect([first, other].every(({ status }) => [200, 451].includes(status))).toBe(true)
    expect(await recordsOf(service, id)).toHaveLength(successes)
  })

  it('covers every id that a deactivated user gets at the same moment', async () => {
    const { anna } = await ownedId()
    const ids = Array.from({ length: 8 }, newId)
    const [deactivationAnswer, ...grantAnswers] = await Promise.all([
      admin.post(`/api/admin/users/${anna.id}/deactivate`, { reason: 'A race' }),
      ...ids.map((emoji_id) => admin.post('/api/admin/emoji_ids', { emoji_id, user_id: anna.id })),
    ])
    expect(deactivationAnswer?.status).toBe(200)
    for (const [place, answer] of grantAnswers.entries()) {
      const expected = answer.status === 200 ? 451 : 404
      expect(await statusAt(service, ids[place] ?? '')).toBe(expected)
    }
  })

  it('a suspension of an id and of its owner by one Super at the same moment never block each other', async () => {
    const { anna, id } = await ownedId()
    const boss = await registerAs(service, 'Super')
    const onId = `/api/admin/emoji_ids/${encodeURIComponent(id)}`
    const onOwner = `/api/admin/users/${anna.id}`
    const paths = [
      `${onId}/suspend`,
      `${onOwner}/deactivate`,
      `${onId}/restore`,
      `${onOwner}/activate`,
    ]
    const answers = await Promise.all(
      [...paths, ...paths].map((path) => boss.post(path, { reason: 'A race' })),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
  })

  it('a suspension and a restoration at the same moment leave one of the two states, with all audit entries', async () => {
    const { id } = await ownedId()
    const answers = await Promise.all(
      (['suspend', 'restore', 'suspend', 'restore'] as const).map((action) => act(id, action)),
    )
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    const state = (
      await admin.get(`/api/admin/emoji_ids/${encodeURIComponent(id)}/suspension`)
    ).json<{ suspended_at: string | null }>()
    expect(await statusAt(service, id)).toBe(state.suspended_at ? 451 : 200)
  })
})
