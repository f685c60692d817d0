import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeSuper } from '../../src/features/people/users/users.ts'
import { goodPassword, logIn, newcomer, type Person, registerAs } from '../support/people.ts'
import { type TestService, testService } from '../support/service.ts'

const env = {
  ADMIN_EMAIL: 'first@example.com',
  ADMIN_PASSWORD: goodPassword,
  SEED_DEMO: 'false',
}
let service: TestService
let first: Pick<Person, 'get' | 'patch' | 'post' | 'delete'> & { id: string }
beforeAll(async () => {
  service = await testService({ env })
  const login = await logIn(service, { email: env.ADMIN_EMAIL, password: goodPassword })
  const { user } = (await login.get('/api/account')).json<{ user: { id: string } }>()
  first = { ...login, id: user.id }
})
afterAll(() => service.close())

const roleOf = async (email: string) =>
  (
    await service.db
      .selectFrom('users')
      .select('role')
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
  ).role
const databaseUrl = () => service.database?.url ?? ''
const program = fileURLToPath(new URL('../../dist/commands/make-super.js', import.meta.url))
const raise = (email: string) =>
  spawnSync(process.execPath, [program, email], {
    env: { PATH: process.env['PATH'], DATABASE_URL: databaseUrl() },
  })
const reason = 'Left us'

describe('a Super', () => {
  it('a Super is the administrator configured for a new database; one configured later is an Admin', async () => {
    expect(await roleOf(env.ADMIN_EMAIL)).toBe('Super')
    const later = { ...env, ADMIN_EMAIL: 'later@example.com' }
    await (await testService({ databaseUrl: databaseUrl(), env: later })).close()
    expect(await roleOf(later.ADMIN_EMAIL)).toBe('Admin')
    expect(await roleOf(env.ADMIN_EMAIL)).toBe('Super')
  })

  it('a Super cannot be removed as the last one, even concurrently with another', async () => {
    // Other tests make further ones.
    await service.db
      .updateTable('users')
      .set({ role: 'User' })
      .where('role', '=', 'Super')
      .where('id', '<>', first.id)
      .execute()
    const removeResponse = await first.delete(`/api/users/${first.id}`)
    expect([removeResponse.status, removeResponse.json()['code']]).toEqual([422, 'last_super'])
    const [second, third] = [await registerAs(service, 'Super'), await registerAs(service, 'Super')]
    const out = ({ id }: { id: string }) => `/api/admin/users/${id}/deactivate`
    expect((await first.post(out(third), { reason })).status).toBe(200)
    const answers = await Promise.all([
      first.post(out(second), { reason }),
      second.post(out(first), { reason }),
      first.patch(`/api/users/${second.id}`, { role: 'User' }),
      second.patch(`/api/users/${first.id}`, { role: 'Admin' }),
      first.delete(`/api/users/${first.id}`),
      second.delete(`/api/users/${second.id}`),
    ])
    for (const { status } of answers) expect(status).toBeLessThan(500)
    const remainingSupers = await service.db
      .selectFrom('users')
      .select('email')
      .where('role', '=', 'Super')
      .where('deactivated_at', 'is', null)
      .execute()
    expect(remainingSupers).toHaveLength(1)
    // For the following tests.
    await service.db
      .updateTable('users')
      .set({ role: 'Super', deactivated_at: null, deleted_at: null, email: env.ADMIN_EMAIL })
      .where('id', '=', first.id)
      .execute()
  })

  it('a Super is promoted once by a local command, which is audited', async () => {
    const admin = await registerAs(service, 'Admin')
    expect(raise(admin.email.toUpperCase())).toMatchObject({ status: 0 })
    expect(await roleOf(admin.email)).toBe('Super')
    expect(await makeSuper(service.db, admin.email)).toBe('unchanged')
    const auditEntries = await service.db
      .selectFrom('audit_entries')
      .select(['actor_id', 'details'])
      .where('event', '=', 'role.changed')
      .where('subject_id', '=', admin.id)
      .execute()
    expect(auditEntries).toMatchObject([
      { actor_id: null, details: { from: 'Admin', to: 'Super' } },
    ])
    const other = await registerAs(service, 'Admin')
    const path = `/api/users/${other.id}`
    expect((await admin.patch(path, { role: 'User' })).status).toBe(200)
  })

  it('a Super is not promoted for an unknown, unconfirmed or deactivated address', async () => {
    const unconfirmedPerson = await newcomer(service)
    const out = await newcomer(service, { isVerified: true })
    const at = new Date()
    const deactivation = service.db.updateTable('users').set({ deactivated_at: at })
    await deactivation.where('id', '=', out.id).execute()
    const refusals: [string, string][] = [
      ['unknown@example.com', 'No account has'],
      [unconfirmedPerson.email, 'is not confirmed'],
      [out.email, 'deactivated'],
    ]
    for (const [email, sentence] of refusals) {
      await expect(makeSuper(service.db, email)).rejects.toThrow(sentence)
    }
    expect(await roleOf(unconfirmedPerson.email)).toBe('User')
  })
})
