import { restartDelays } from '../features/directory/delays/delays.ts'
import { skipVersions } from '../features/directory/emoji-ids/emoji-ids.ts'
import { beginEpoch, sequenceEvents } from '../features/operations/events/events.ts'
import { parkDeliveries, releaseDeliveries } from '../features/partners/webhooks/webhooks.ts'
import { refundTask, requeueLostRefunds } from '../features/shop/ledger/ledger.ts'
import { connectTo } from '../platform/database/database.ts'
import { applyMissing, withMigrationLock } from '../platform/database/migrate.ts'
import { migrateJobQueue } from '../platform/database/open.ts'
import type { Connection } from '../platform/database/pool.ts'
import { parkJobs, releaseJobs } from '../platform/jobs/jobs.ts'
import type { Log } from '../platform/log/log.ts'
import type { Database, Tables } from '../tables.ts'

type Say = (line: string) => void

/**
 * Prepares a restored database for the service, which may have sent and given out more than the
 * restored state says: nothing is sent before an operator releases it, and no number is given twice.
 * Safe to repeat. A service that starts meanwhile waits for the migration lock.
 */
export const prepareRestored = (connection: Connection, log: Log, say: Say): Promise<void> =>
  withMigrationLock(connection, log, async (client) => {
    const { rows } = await client.query(
      `select from pg_stat_activity
       where datname = current_database() and application_name like 'emojid-monitor-%' limit 1`,
    )
    if (rows.length > 0) {
      throw new Error('The service uses this database. Stop all its processes, then try again.')
    }
    await applyMissing(client)
    await migrateJobQueue(connection, log)
    const { db, close } = connectTo<Tables>(connection, log)
    try {
      await prepare(db, say)
    } finally {
      await close()
    }
  })

async function prepare(db: Database, say: Say): Promise<void> {
  await requeueLostRefunds({ db })
  for (const [task, count] of await parkJobs(db)) say(`Parked jobs ${task}: ${count}`)
  await sequenceEvents({ db })
  say(`Parked webhook deliveries: ${await parkDeliveries(db)}`)
  const delayCount = await restartDelays(db, new Date())
  say(`Waiting address changes and planned delays that begin to wait again: ${delayCount}`)
  say(`New versions of records are above ${await skipVersions(db)}`)
  await beginEpoch(db)
  say('Event cursors from before get 410, and their readers look ids up again')
  say('Start the service without the role worker first, review, then release what was parked:')
  say('npm run after-restore -- release refunds jobs deliveries')
}

const releases: Record<string, (db: Database) => Promise<number>> = {
  refunds: (db) => releaseJobs(db, refundTask),
  jobs: (db) => releaseJobs(db, refundTask, true),
  deliveries: releaseDeliveries,
}

/** Releases parked work of these kinds, while the service runs or not. */
export async function releaseParked(db: Database, kinds: readonly string[], say: Say) {
  const unknownKind = kinds.find((kind) => !Object.hasOwn(releases, kind))
  if (unknownKind !== undefined || kinds.length === 0) {
    throw new Error(`Name what to release: ${Object.keys(releases).join(', ')}.`)
  }
  for (const kind of kinds) say(`Released ${kind}: ${await releases[kind]?.(db)}`)
}
