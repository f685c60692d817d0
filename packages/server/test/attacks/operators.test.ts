import { beforeAll, describe, expect, it } from 'vitest'
import { redemptionCode } from '../support/codes.ts'
import { callsWithKey, goodPassword, newcomer, type Person, registerAs } from '../support/people.ts'
import type { TestService } from '../support/service.ts'
import { sharedService } from '../support/shared-service.ts'

let service: TestService
let admin: Person
beforeAll(async () => {
  service = await sharedService()
  admin = await registerAs(service, 'Admin')
})

type Caller = Pick<Person, 'get' | 'post' | 'patch' | 'put' | 'delete'>
async function lastNote(event: string, actor_id: string) {
  const page = await admin.get(`/api/admin/audit?event=${event}&actor_id=${actor_id}&limit=1`)
  return page.json<{ data: { details: Record<string, unknown> }[] }>().data[0]?.details
}
describe('the audit log', () => {
  it('records whether a session or a key acted, and why', async () => {
    const maker = await registerAs(service, 'Admin')
    const key = await callsWithKey(service, maker)
    const reason = 'Our birthday'
    const make = (caller: Caller) =>
      caller.post('/api/admin/codes', { ...redemptionCode({ discount_as_percentage: 10 }), reason })
    const { id } = (await make(key)).json<{ id: string }>()
    expect(await lastNote('code.created', maker.id)).toMatchObject({ by_key: key.id, reason })
    await make(maker)
    const auditEntry = await lastNote('code.created', maker.id)
    expect(auditEntry).toMatchObject({ by_session: expect.any(String), reason })
    expect(auditEntry).not.toHaveProperty('by_key')
    await maker.delete(`/api/admin/codes/${id}?reason=A+mistake`)
    expect(await lastNote('code.deleted', maker.id)).toMatchObject({ reason: 'A mistake' })
    const user = await newcomer(service, { password: goodPassword })
    await maker.put(`/api/admin/users/${user.id}/features`, { codes: ['beta'], reason })
    expect(await lastNote('features.changed', maker.id)).toMatchObject({ reason })
  })

  it('records the old and new free limit; operators cannot raise their own', async () => {
    const [maker, user] = [
      await registerAs(service, 'Admin'),
      await newcomer(service, { password: goodPassword }),
    ]
    await maker.patch(`/api/users/${user.id}`, { free_limit: 9, reason: 'A prize' })
    expect(await lastNote('account.changed', maker.id)).toMatchObject({
      free_limit: { from: 1, to: 9 },
      reason: 'A prize',
    })
    const own = await maker.patch(`/api/users/${maker.id}`, { free_limit: 9, reason: 'A prize' })
    expect([own.status, own.json()['code']]).toEqual([403, 'own_limit'])
  })
})

it('a key for one purpose reads neither sessions nor keys nor transfers', async () => {
  const person = await newcomer(service, { password: goodPassword })
  const key = await callsWithKey(service, person, ['edition:read'])
  const lists = ['/account/sessions', '/api_keys', '/transfers', '/transfers/incoming']
  for (const list of lists) {
    expect([list, (await key.get(`/api${list}`)).status]).toEqual([list, 403])
    expect([list, (await person.get(`/api${list}`)).status]).toEqual([list, 200])
  }
  const able = await callsWithKey(service, person, ['emoji::transfer', 'user:createApiKey'])
  expect((await able.get('/api/transfers')).status).toBe(200)
  expect((await able.get('/api/api_keys')).status).toBe(200)
  expect((await able.get('/api/account/sessions')).status).toBe(403)
})
