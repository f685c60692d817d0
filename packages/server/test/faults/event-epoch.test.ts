import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { backUp } from '../../src/platform/database/backup/backup.ts'
import { restore } from '../../src/platform/database/backup/restore.ts'
import { createLog } from '../../src/platform/log/log.ts'
import { testDatabase } from '../support/database.ts'
import { grant } from '../support/ids.ts'
import { registerAs } from '../support/people.ts'
import { testService } from '../support/service.ts'

const log = createLog('silent')
const progress = () => {}
const folder = await mkdtemp(join(tmpdir(), 'emojid-epoch-'))
const service = await testService()
const copy = await testDatabase('empty')
afterAll(async () => {
  await service.close()
  await copy.drop()
  await rm(folder, { recursive: true })
})

type Page = { data: { cursor: string }[]; next: string }

it('a restored backup begins a new epoch: earlier cursors get 410, new ones work', async () => {
  const admin = await registerAs(service, 'Admin')
  const read = async (at: Pick<typeof service, 'get'>, after?: string) =>
    at.get(`/api/events${after ? `?after=${after}` : ''}`)
  const { next: before } = (await read(service)).json<Page>()
  await grant(admin, { user_id: admin.id })
  await expect
    .poll(async () => (await read(service, before)).json<Page>().data.length)
    .toBeGreaterThan(0)
  const { next } = (await read(service, before)).json<Page>()
  const target = join(folder, 'backup')
  await backUp({ connectionString: service.database?.url }, target, progress)
  await restore({ connection: { connectionString: copy.url }, folder: target, log, progress })
  const restored = await testService({ databaseUrl: copy.url })
  try {
    // The first turn of the sequencer compares the place.
    await expect.poll(async () => (await read(restored, next)).status).toBe(410)
    const { next: fresh } = (await read(restored)).json<Page>()
    expect(fresh.split('-')[0]).not.toBe(next.split('-')[0])
    expect((await read(restored, fresh)).status).toBe(200)
    expect((await read(service, next)).status).toBe(200)
  } finally {
    await restored.close()
  }
})
