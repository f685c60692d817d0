import { mkdir } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { backUp } from '../platform/database/backup/backup.ts'
import { hasCluster } from '../platform/database/embedded/server.ts'
import { run, say } from './run.ts'
import { findServer } from './with-database.ts'

await run(async (config, log, [target]) => {
  const stamp = new Date().toISOString().replaceAll(':', '-').slice(0, 19)
  const folder = resolve(target ?? `backups/${stamp}`)
  await mkdir(dirname(folder), { recursive: true })
  if (!config.database_url && !(await hasCluster(config.data_dir))) {
    throw new Error(
      `DATA_DIR ${config.data_dir} contains no database. Set DATA_DIR to the right folder.`,
    )
  }
  const server = await findServer(config, log)
  try {
    const { tables } = await backUp(server.connection, folder, say)
    say(`Backed up ${tables.length} tables to ${folder}`)
  } finally {
    await server.stop()
  }
})
