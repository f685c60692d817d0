import { makeSuper } from '../features/directory/users/index.ts'
import { connectTo } from '../platform/database/connect.ts'
import { findRunningPostgres } from '../platform/database/embedded/server.ts'
import { locateServer } from '../platform/database/open.ts'
import type { Tables } from '../tables.ts'
import { run, say } from './run.ts'

await run(async (config, log, [email]) => {
  if (!email) throw new Error('Say whom: npm run make-super -- name@example.com')
  const running = config.database_url ? undefined : await findRunningPostgres(config.data_dir)
  const server = running
    ? { connection: running, stop: async () => {} }
    : await locateServer({ ...config, log })
  const { db, close } = connectTo<Tables>(server.connection, log)
  try {
    const outcome = await makeSuper(db, email)
    say(outcome === 'raised' ? `${email} is a Super now.` : `${email} is a Super already.`)
  } finally {
    await close()
    await server.stop()
  }
})
