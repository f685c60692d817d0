import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { createBoxes } from './boxes.ts'
import type { Config } from './config.ts'
import { adminSeed, demoAdmin } from './demo/admin.ts'
import { applicationSeed } from './demo/application.ts'
import { codesSeed } from './demo/codes.ts'
import { directorySeed } from './demo/directory.ts'
import { lootboxSeed } from './demo/lootboxes.ts'
import { partnerSeed } from './demo/partner.ts'
import { tokenPictureSeed, tokensSeed } from './demo/tokens.ts'
import { guardRoutes } from './features/access/index.ts'
import { apiKeyRoutes } from './features/api-keys/index.ts'
import { auditRoutes } from './features/audit/index.ts'
import type { Authorization } from './features/authorization/index.ts'
import { bulkIdRoutes, createBulkIds } from './features/bulk-ids/index.ts'
import type { Carts } from './features/carts/index.ts'
import { type Catalog, catalogRoutes, createCatalog } from './features/catalog/index.ts'
import { type Codes, codeRoutes, createCodes } from './features/codes/index.ts'
import { createDelays, type Delays, delayJobs, delayRoutes } from './features/delays/index.ts'
import { createEdits, type Edits, editRoutes } from './features/edits/index.ts'
import { type EmojiIds, emojiIdRoutes, owningRoutes } from './features/emoji-ids/index.ts'
import { createHandovers, handoverRoutes } from './features/handovers/index.ts'
import {
  createInterests,
  type Interests,
  interestJobs,
  interestRoutes,
  interestTaskRules,
} from './features/interests/index.ts'
import { createJobs, jobRoutes } from './features/jobs/index.ts'
import { keyRoutes } from './features/keys/index.ts'
import { loginRoutes } from './features/login/index.ts'
import type { Mailbox } from './features/mailbox/index.ts'
import {
  createNotifications,
  type Notifications,
  notificationJobs,
  notificationTaskRules,
} from './features/notifications/index.ts'
import { type Oauth, oauthRoutes } from './features/oauth/index.ts'
import { type OauthClients, oauthClientRoutes } from './features/oauth-clients/index.ts'
import { organizationRoutes } from './features/organizations/index.ts'
import { createOversight, oversightRoutes } from './features/oversight/index.ts'
import { createOwnIds, ownIdRoutes } from './features/own-ids/index.ts'
import { createPartners, type Partners, partnerRoutes } from './features/partners/index.ts'
import {
  createPictures,
  type Pictures,
  pictureJobs,
  pictureRoutes,
} from './features/pictures/index.ts'
import { profileRoutes } from './features/profile/index.ts'
import { createProxy, proxyRoutes } from './features/proxy/index.ts'
import { createRecords, type Records, recordRoutes } from './features/records/index.ts'
import { type Recovery, recoveryRoutes } from './features/recovery/index.ts'
import { type Sessions, sessionRoutes } from './features/sessions/index.ts'
import type { SiteSessions } from './features/site-sessions/index.ts'
import { createStats, statsJobs } from './features/stats/index.ts'
import { createStore, type Store, storeRoutes } from './features/store/index.ts'
import { createTokens, tokenRoutes } from './features/tokens/index.ts'
import { transferRoutes } from './features/transfers/index.ts'
import { twoFactorRoutes } from './features/two-factor/index.ts'
import { userRoutes } from './features/users/index.ts'
import { walletRoutes } from './features/wallets/index.ts'
import type { Parts } from './parts.ts'
import { createPeople } from './people.ts'
import type { Sealer } from './platform/crypto/seal.ts'
import { transact } from './platform/database/database.ts'
import { createKeyedReader } from './platform/database/replica/keyed-reader.ts'
import type { DemoSeed } from './platform/demo/seed.ts'
import { createDrawer } from './platform/drawing/drawer.ts'
import { idempotencyJobs } from './platform/http/idempotency/jobs.ts'
import { mount } from './platform/http/mount.ts'
import type { JobModule } from './platform/jobs/worker.ts'
import { type KeptMessage, type KeptMessages, keepMessages } from './platform/mail/kept.ts'
import { createSmtpTransport } from './platform/mail/smtp.ts'
import { createPageFetcher } from './platform/outside/fetch-page.ts'
import type { Passwords } from './platform/passwords/passwords.ts'
import { createTwilioTransport } from './platform/sms/twilio.ts'
import { createShop } from './shop.ts'
import type { Database, Tables } from './tables.ts'

/** The composition root: every feature is built here, once, in the order of their dependence. */
export function createContainer(parts: Parts): Container {
  const { config, db, prepare, monitor, sealer, mintSigner, now, log } = parts
  const kept = keepMessages(config.data_dir)
  const transports = createTransports(config, kept)
  const notifications = createNotifications({ db, sealer, transports, now, log })
  const people = createPeople({ ...parts, notifications })
  const { audit, accounts, users, mailbox, organizations, sessions, login, profile } = people
  const { secondFactor, apiKeys, keys, wallets, links, emojiIds, throttle, transfers } = people
  const { authorization, oauth, oauthClients, webSessions, recovery } = people
  const stats = createStats({ db, now, log })
  const reader = createKeyedReader({ prepare, monitor, replica: parts.replica })
  const records = createRecords({
    db,
    reader,
    monitor,
    emojiIds,
    keys,
    stats,
    now,
    remembered: config.lookup_cache_ids,
  })
  const delays = createDelays({
    db,
    accounts,
    organizations,
    emojiIds,
    records,
    keys,
    links,
    notifications,
    audit,
    now,
    authUrl: config.auth_url,
  })
  const edits = createEdits({
    db,
    accounts,
    emojiIds,
    records,
    delays,
    keys,
    links,
    notifications,
    audit,
    authUrl: config.auth_url,
  })
  const bulkIds = createBulkIds({ db, audit, edits, emojiIds, keys, organizations, records, now })
  const catalog = createCatalog({ db, monitor, emojiIds, stats, audit, now })
  const codes = createCodes({
    db,
    accounts,
    audit,
    keys,
    organizations,
    throttle,
    now,
    legacyUntil: config.legacy_challenge_until,
  })
  const boxes = createBoxes({ ...parts, ...people, catalog, notifications })
  const { lootboxSales } = boxes
  const shop = createShop({ ...parts, ...people, notifications, catalog, codes, lootboxSales })
  const interests = createInterests({
    db,
    accounts,
    emojiIds,
    catalog,
    links,
    notifications,
    now,
    authUrl: config.auth_url,
    webUrl: config.web_url,
  })
  const store = createStore({
    db,
    records,
    edits,
    emojiIds,
    audit,
    now,
    authUrl: config.auth_url,
  })
  const partners = createPartners({ db, organizations, audit, now, authUrl: config.auth_url })
  const proxy = createProxy({ fetchPage: createPageFetcher(parts.outside) })
  const handovers = createHandovers({
    db,
    accounts,
    emojiIds,
    keys,
    records,
    secondFactor,
    transfers,
    notifications,
    now,
    webUrl: config.web_url,
    codeKey: sealer.derive('transfer codes'),
  })
  const tokens = createTokens({
    db,
    accounts,
    emojiIds,
    store,
    transfers,
    ledger: shop.ledger,
    audit,
    now,
    mintAfterCardMs: config.mint_after_card_ms,
    signer: mintSigner,
    webUrl: config.web_url,
  })
  const drawer = createDrawer({ ffmpegPlaces: config.ffmpeg_places, log })
  const pictures = createPictures({ db, drawer, emojiIds, store, now, baseUrl: config.base_url })

  const taskRules = { ...notificationTaskRules(notifications), ...interestTaskRules }
  const jobs = createJobs({ db, audit, taskRules: { ...taskRules, ...shop.taskRules } })

  const notices: string[] = []
  const ownerEmail = config.admin?.email ?? demoAdmin
  const max_age = config.lookup_max_age
  const cacheControl = max_age > 0 ? `public, max-age=${max_age}` : 'public, no-cache'
  return {
    db,
    now,
    notifications,
    records,
    pictures,
    store,
    catalog,
    carts: shop.carts,
    keptMessages: kept.list,
    cacheControl,
    delays,
    edits,
    codes,
    interests,
    recovery,
    sessions,
    mailbox,
    authorization,
    emojiIds,
    oauth,
    oauthClients,
    webSessions,
    partners,
    passwords: people.passwords,
    sealer,
    createAdmin: ({ email, password }) =>
      transact(db, (trx) => accounts.createAdmin(trx, email, password)),
    notices,
    fingerprintKey: sealer.derive('idempotency fingerprints'),
    guardApi: (app) => guardRoutes(app, { token: sessions.verify, apiKey: apiKeys.verify }),
    apiRoutes: [
      mount(loginRoutes, { login }),
      mount(sessionRoutes, { sessions }),
      mount(twoFactorRoutes, { secondFactor }),
      mount(apiKeyRoutes, { apiKeys }),
      mount(recoveryRoutes, { recovery }),
      mount(keyRoutes, { keys }),
      mount(walletRoutes, { wallets }),
      mount(profileRoutes, { profile }),
      mount(userRoutes, { users }),
      mount(organizationRoutes, { organizations }),
      mount(oauthRoutes, { oauth }),
      mount(oauthClientRoutes, { oauthClients }),
      mount(partnerRoutes, { partners }),
      mount(proxyRoutes, { proxy }),
      mount(auditRoutes, { audit }),
      mount(jobRoutes, { jobs }),
      mount(oversightRoutes, { oversight: createOversight({ db }) }),
      emojiIdRoutes,
      mount(owningRoutes, { emojiIds }),
      mount(bulkIdRoutes, { bulkIds }),
      mount(ownIdRoutes, { ownIds: createOwnIds({ db }) }),
      mount(catalogRoutes, { catalog, requiresToken: config.catalog_requires_token }),
      ...shop.routes,
      ...boxes.routes,
      mount(codeRoutes, { codes }),
      mount(interestRoutes, { interests }),
      mount(editRoutes, { edits }),
      mount(delayRoutes, { delays }),
      mount(recordRoutes, { records, cacheControl }),
      mount(storeRoutes, { store }),
      mount(transferRoutes, { transfers }),
      mount(handoverRoutes, { handovers }),
      mount(tokenRoutes, { tokens }),
      mount(pictureRoutes, { pictures }),
    ],
    jobs: [
      idempotencyJobs(db, now),
      notificationJobs(notifications),
      statsJobs(stats),
      interestJobs(interests),
      delayJobs(delays),
      pictureJobs(pictures),
      ...people.jobs,
      ...shop.jobs,
    ],
    seeds: [
      ...(config.admin ? [] : [adminSeed(accounts, (line) => notices.push(line))]),
      directorySeed({ accounts, keys, emojiIds, edits, store }, ownerEmail),
      codesSeed(codes, (line) => notices.push(line)),
      partnerSeed({ accounts, organizations, partners }, { ownerEmail, webUrl: config.web_url }),
      applicationSeed({ organizations, oauthClients }, config.web_url),
      tokensSeed(emojiIds),
      tokenPictureSeed(emojiIds, store),
      lootboxSeed(boxes.lootboxTypes),
    ],
    stop: async () => {
      pictures.stop()
      await stats.stop()
      await people.passwords.stop()
    },
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
  pictures: Pictures
  records: Records
  store: Store
  catalog: Catalog
  delays: Delays
  edits: Edits
  codes: Codes
  interests: Interests
  recovery: Recovery
  sessions: Sessions
  mailbox: Mailbox
  authorization: Authorization
  emojiIds: EmojiIds
  oauth: Oauth
  oauthClients: OauthClients
  carts: Carts
  webSessions: SiteSessions
  partners: Partners
  passwords: Passwords
  sealer: Sealer
  /** Makes the first administrator, unless somebody has that address; answers whether it did. */
  createAdmin(admin: { email: string; password: string }): Promise<boolean>
  /** What the person who started the service is told this once. */
  notices: string[]
  /** For telling the same request from another one. */
  fingerprintKey: Buffer
  /** Lets nobody through to a route of the API who may not call it. */
  guardApi: (app: FastifyInstance) => void
  /** Mails and text messages that the demonstration kept, oldest first. */
  keptMessages: () => Promise<KeptMessage[]>
  /** How long others may keep a public lookup. */
  cacheControl: string
  /** What the API site serves. */
  apiRoutes: FastifyPluginAsync[]
  jobs: JobModule[]
  seeds: DemoSeed<Tables>[]
  /** Writes down what is still in memory, and ends what is still being drawn. */
  stop(): Promise<void>
}
