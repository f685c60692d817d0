import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { mailedService, register } from '../support/people.ts'
import { type TestService, testService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await testService()
})
afterAll(() => service.close())

it('a worker whose first query fails sends mail as soon as the database responds', async () => {
  const rename = (from: string, to: string) =>
    sql`alter table graphile_worker.${sql.id(from)} rename to ${sql.id(to)}`.execute(service.db)
  await rename('_private_tasks', 'away')
  const late = await mailedService({ databaseUrl: String(service.database?.url) })
  try {
    await expect.poll(() => late.logged.join()).toContain('replacing it')
    await rename('away', '_private_tasks')
    const anna = await register(late, { password: null })
    expect(await late.mailTo(anna.email)).toBeDefined()
  } finally {
    await late.close()
  }
})
