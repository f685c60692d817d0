import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { execute } from '../support/global-setup.ts'
import { mailedService, register } from '../support/people.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

it('a worker whose first query fails sends mail as soon as the database responds', async () => {
  const rename = (from: string, to: string) =>
    execute(database.connection, `alter table graphile_worker.${from} rename to ${to}`)
  await rename('_private_tasks', 'away')
  const late = await mailedService({ databaseUrl: database.url, env: { SEED_DEMO: 'false' } })
  try {
    await expect.poll(() => late.logged.join()).toContain('replacing it')
    await rename('away', '_private_tasks')
    const anna = await register(late, { password: null })
    expect(await late.mailTo(anna.email)).toBeDefined()
  } finally {
    await late.close()
  }
})
