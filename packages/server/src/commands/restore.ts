import { resolve } from 'node:path'
import { restore } from '../platform/database/backup/restore.ts'
import { locatePrimary } from '../platform/database/open.ts'
import { prepareRestored } from './prepare-restored.ts'
import { run, say } from './run.ts'

await run(async (config, log, [source]) => {
  if (!source) throw new Error('Name the backup: npm run restore -- backups/2026-01-31T12-00-00')
  const server = await locatePrimary({ ...config, log })
  try {
    const { connection } = server
    const { tables, made_at } = await restore({
      connection,
      folder: resolve(source),
      log,
      progress: say,
    })
    say(`Restored ${tables.length} tables as they were at ${made_at}`)
    await prepareRestored(connection, log, say)
    say(
      'A backup contains no keys: before you start the service, copy DATA_DIR/secrets of ' +
        'the original service, or set its MASTER_KEY, SIGNING_KEYS and MINT_SIGNER_KEY.',
    )
  } finally {
    await server.stop()
  }
})
