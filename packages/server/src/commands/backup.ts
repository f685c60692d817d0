import { mkdir } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { backUp } from '../platform/database/backup/backup.ts'
import { findRunningPostgres, hasCluster } from '../platform/database/embedded/server.ts'
import { locateServer } from '../platform/database/open.ts'
import { run, say } from './run.ts'

await run(async (config, log, [target]) => {
  const stamp = new Date().toISOString().replaceAll(':', '-').slice(0, 19)
  const folder = resolve(target ?? `backups/${stamp}`)
  await mkdir(dirname(folder), { recursive: true })
  if (!config.database_url && !(await hasCluster(config.data_dir))) {
    throw new Error(
      `DATA_DIR ${config.data_dir} contains no database. Set DATA_DIR to the right folder.`,
    )
  }
  const runningConfig = config.database_url ? undefined : await findRunningPostgres(config.data_dir)
  const server = runningConfig
    ? { connection: runningConfig, stop: async () => {} }
    : await locateServer({ ...config, log })
  try {
    const { tables } = await backUp(server.connection, folder, say)
    say(`Backed up ${tables.length} tables to ${folder}`)
  } finally {
    await server.stop()
  }
})
