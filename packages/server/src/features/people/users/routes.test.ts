import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  type MailedService,
  type Person,
  register,
  registerAs,
} from '../../../../test/support/people.ts'
import { sharedMailedService } from '../../../../test/support/shared-service.ts'

let service: MailedService
let admin: Person
beforeAll(async () => {
  service = await sharedMailedService()
  admin = await registerAs(service, 'Admin')
})

describe('an account for operators', () => {
  it('an account for operators shows its features, and why it was changed or deleted', async () => {
    const bob = await register(service)
    await admin.put(`/api/admin/users/${bob.id}/features`, { codes: ['early'] })
    const features = (await admin.get(`/api/admin/users/${bob.id}/features`)).json<object[]>()
    expect(features).toMatchObject([{ code: 'early' }])
    expect((await admin.get(`/api/admin/users/${randomUUID()}/features`)).status).toBe(404)
    expect((await bob.get(`/api/admin/users/${bob.id}/features`)).status).toBe(403)

    const set = { activation_source: 'Booth 7', reason: 'Met at the fair' }
    const newEmail = `bob.${randomUUID()}@example.com`
    expect((await admin.patch(`/api/users/${bob.id}`, set)).status).toBe(200)
    const user = (await admin.get(`/api/users/${bob.id}`)).json()
    expect(user).toMatchObject({ activation_source: 'Booth 7' })

    const changed = await admin.patch(`/api/users/${bob.id}`, { email: newEmail, reason: 'Typo' })
    // The address changes when its mailbox confirms it.
    expect(changed.json()).toMatchObject({ email: bob.email, pending_email: newEmail })

    await admin.patch(`/api/users/${bob.id}`, { role: 'Bot', reason: 'Runs a machine' })
    await admin.delete(`/api/users/${bob.id}?reason=Asked%20for%20it`)
    const search = async (query: string) =>
      (await admin.get(`/api/admin/audit?${query}`)).json<{
        data: { event: string; actor_email: string; details: Record<string, unknown> }[]
      }>().data
    const about = await search(`person=${bob.id}`)
    const why = (event: string) => about.find((one) => one.event === event)?.details['reason']
    expect(['role.changed', 'account.changed', 'account.deleted'].map(why)).toEqual([
      'Runs a machine',
      'Runs a machine',
      'Asked for it',
    ])
    const [last] = await search(`person=${admin.email.toUpperCase()}&limit=1`)
    expect(last).toMatchObject({ event: 'account.deleted', actor_email: admin.email })
    expect(await search(`person=${admin.email}&to=2001-01-01`)).toEqual([])
    expect(await search('person=unknown@example.com')).toEqual([])
  })
})
