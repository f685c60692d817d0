import type { FastifyPluginAsync } from 'fastify'
import type { Config } from './config.ts'
import { directorySeed } from './demo/directory.ts'
import { createEmojiIds, emojiIdRoutes } from './features/emoji-ids/index.ts'
import {
  createNotifications,
  type Notifications,
  notificationJobs,
} from './features/notifications/index.ts'
import { createRecords, type Records, recordRoutes } from './features/records/index.ts'
import { createStats, statsJobs } from './features/stats/index.ts'
import { createStore, storeRoutes } from './features/store/index.ts'
import type { Sealer } from './platform/crypto/seal.ts'
import type { DatabaseMonitor } from './platform/database/monitor.ts'
import type { Prepare } from './platform/database/prepared.ts'
import type { DemoSeed } from './platform/demo/seed.ts'
import { idempotencyJobs } from './platform/http/idempotency/jobs.ts'
import type { JobModule } from './platform/jobs/worker.ts'
import type { Log } from './platform/log/log.ts'
import { type KeptMessage, type KeptMessages, keepMessages } from './platform/mail/kept.ts'
import { createSmtpTransport } from './platform/mail/smtp.ts'
import { createTwilioTransport } from './platform/sms/twilio.ts'
import type { Database, Tables } from './tables.ts'

export type Parts = {
  config: Config
  db: Database
  prepare: Prepare
  monitor: DatabaseMonitor
  sealer: Sealer
  now: () => Date
  log: Log
}

/** The composition root: every feature is built here, once, in the order of their dependence. */
export function createContainer(parts: Parts): Container {
  const { config, db, prepare, monitor, sealer, now, log } = parts
  const kept = keepMessages(config.data_dir)
  const transports = createTransports(config, kept)
  const notifications = createNotifications({ db, sealer, transports, now, log })
  const emojiIds = createEmojiIds({ monitor })
  const stats = createStats({ db, now, log })
  const remembered = config.lookup_cache_ids
  const records = createRecords({ prepare, monitor, emojiIds, stats, now, remembered })
  const store = createStore({ db, records })

  const max_age = config.lookup_max_age
  const cacheControl = max_age > 0 ? `public, max-age=${max_age}` : 'public, no-cache'
  return {
    db,
    now,
    notifications,
    records,
    keptMessages: kept.list,
    cacheControl,
    apiRoutes: [
      emojiIdRoutes,
      async (app) => void app.register(recordRoutes, { records, cacheControl }),
      async (app) => void app.register(storeRoutes, { store }),
    ],
    jobs: [idempotencyJobs(db, now), notificationJobs(notifications), statsJobs(stats)],
    seeds: [directorySeed({ emojiIds, records, store })],
    stop: () => stats.stop(),
  }
}

/** The demonstration keeps what it has no way to send. */
function createTransports({ smtp_url, mail_from, sms_url, loopback }: Config, kept: KeptMessages) {
  return {
    mail: smtp_url ? createSmtpTransport({ url: smtp_url, from: mail_from }) : kept.mail,
    sms: sms_url ? createTwilioTransport(sms_url) : loopback ? kept.sms : undefined,
  }
}

export type Container = {
  db: Database
  now: () => Date
  notifications: Notifications
  records: Records
  /** Mails and text messages that the demonstration kept, oldest first. */
  keptMessages: () => Promise<KeptMessage[]>
  /** How long others may keep a public lookup. */
  cacheControl: string
  /** What the API site serves. */
  apiRoutes: FastifyPluginAsync[]
  jobs: JobModule[]
  seeds: DemoSeed<Tables>[]
  /** Writes down what is still in memory. */
  stop(): Promise<void>
}
