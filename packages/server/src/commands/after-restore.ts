import { prepareRestored, releaseParked } from './prepare-restored.ts'
import { run, say } from './run.ts'
import { findServer, withDatabase } from './with-database.ts'

await run(async (config, log, [action, ...kinds]) => {
  if (action === 'release') return withDatabase(config, log, (db) => releaseParked(db, kinds, say))
  if (action !== undefined) throw new Error('Only “release” may follow npm run after-restore --')
  const server = await findServer(config, log)
  try {
    await prepareRestored(server.connection, log, say)
  } finally {
    await server.stop()
  }
})
