import { beforeAll, describe, expect, it } from 'vitest'
import { grant, newId } from '../../../../test/support/ids.ts'
import { newcomer, type Person, registerAs } from '../../../../test/support/people.ts'
import type { TestService } from '../../../../test/support/service.ts'
import { sharedService } from '../../../../test/support/shared-service.ts'

let service: TestService
let admin: Person
beforeAll(async () => {
  service = await sharedService()
  admin = await registerAs(service, 'Admin')
})

type Result = { pattern: string; status: string; error: { code: string } | null }
const reserve = async (rows: { pattern: string; reason: string }[]) =>
  (await admin.post('/api/admin/reserved_ids/import', { rows })).json<{ data: Result[] }>().data
const unreserve = (pattern: string) =>
  admin.delete(`/api/admin/reserved_ids?pattern=${encodeURIComponent(pattern)}&reason=Sold`)
const availabilityOf = async (id: string) =>
  (await service.get(`/api/emoji_id/search?emoji_id=${encodeURIComponent(id)}`)).json<{
    result: { availability: string }
  }>().result.availability

describe('the reserved list', () => {
  it('the reserved list takes exact ids and patterns off sale until they are removed, with reasons', async () => {
    const [exact, other] = [newId(), newId()]
    // A combination that no other test uses.
    const [pattern, matching] = ['🎛️*✍️', '🎛️🔥🔥✍️']
    expect(await availabilityOf(exact)).toBe('Available')
    const reason = 'A brand'
    const rows = [exact, pattern].map((text) => ({ pattern: text, reason }))
    expect((await reserve(rows)).map(({ status }) => status)).toEqual(['added', 'added'])
    expect((await reserve(rows)).map(({ status }) => status)).toEqual(['unchanged', 'unchanged'])
    expect(await Promise.all([exact, matching, '🎛️✍️', other].map(availabilityOf))).toEqual([
      'Taken',
      'Taken',
      'Taken',
      'Available',
    ])
    expect(await availabilityOf('🔥🎛️🔥✍️')).toBe('Available')
    const foundAnswer = await service.get(
      `/api/emoji_id/search?emoji_id=${encodeURIComponent(exact)}`,
    )
    expect(foundAnswer.json()).toMatchObject({ result: { available: false, price: null } })
    const listAnswer = await admin.get(`/api/admin/reserved_ids?q=${encodeURIComponent('🎛️*')}`)
    expect(listAnswer.json()).toMatchObject({ data: [{ pattern, reason, reserved_by: admin.id }] })
    const exported = (await admin.get('/api/admin/reserved_ids/export?limit=200')).json<{
      data: { pattern: string; reason: string }[]
    }>()
    expect(exported.data).toEqual(expect.arrayContaining(rows))
    // An export is a valid import.
    const secondResults = await reserve(exported.data)
    expect(new Set(secondResults.map(({ status }) => status))).toEqual(new Set(['unchanged']))
    // Operators still grant reserved ids.
    const anna = await newcomer(service)
    expect(await grant(admin, { user_id: anna.id }, exact)).toBe(exact)
    expect((await unreserve(pattern)).status).toBe(200)
    expect(await availabilityOf(matching)).toBe('Available')
    expect((await unreserve(pattern)).status).toBe(404)
  })

  it('reserves a revoked id permanently if the operator chooses it', async () => {
    const anna = await newcomer(service)
    const id = await grant(admin, { user_id: anna.id })
    const path = `/api/admin/emoji_ids/${encodeURIComponent(id)}?reserve=true&reason=Slur`
    expect((await admin.delete(path)).status).toBe(200)
    expect(await availabilityOf(id)).toBe('Taken')
    const listAnswer = await admin.get(`/api/admin/reserved_ids?q=${encodeURIComponent(id)}`)
    expect(listAnswer.json()).toMatchObject({ data: [{ pattern: id, reason: 'Slur' }] })
  })

  it('refuses malformed and repeated rows one by one', async () => {
    const reason = 'A test'
    const id = newId()
    const texts = ['*', 'abc', '🔥*🔥*🔥*🔥*🔥', `${id}*🔥`, id, ` ${id}`]
    const results = await reserve(texts.map((pattern) => ({ pattern, reason })))
    expect(results.map(({ error }) => error?.code)).toEqual([
      'invalid_pattern',
      'unknown_emoji',
      'invalid_pattern',
      'wrong_length',
      undefined,
      'repeated',
    ])
    const tooLong = Array.from({ length: 201 }, (_, nth) => ({
      pattern: `${[...'🦀🐙🍕👑🔥🐍'][nth % 6]}${[...'🌴🎸🚀💎🦀🐙'][Math.floor(nth / 6) % 6]}${[...'🌴🎸🚀💎🦀🐙'][Math.floor(nth / 36)]}*`,
      reason,
    }))
    const full = await admin.post('/api/admin/reserved_ids/import', { rows: tooLong })
    expect([full.status, full.json()]).toMatchObject([422, { code: 'too_many_patterns' }])
    const user = await newcomer(service)
    expect((await user.get('/api/admin/reserved_ids')).status).toBe(403)
  })
})
