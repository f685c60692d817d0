import { demoAdmin } from '../../demo/admin.ts'
import { directorySeed } from '../../demo/directory.ts'
import { tokenPictureSeed, tokensSeed } from '../../demo/tokens.ts'
import type { Parts } from '../../parts.ts'
import { createKeyedReader } from '../../platform/database/replica/keyed-reader.ts'
import { createDrawer } from '../../platform/drawing/drawer.ts'
import { mount } from '../../platform/http/mount.ts'
import type { Identity } from '../identity/index.ts'
import type { Operations } from '../operations/index.ts'
import { abuseReportJobs, abuseReportRoutes, createAbuseReports } from './abuse-reports/index.ts'
import { accountExportRoutes, createAccountExport } from './account-export/index.ts'
import { bulkIdRoutes, createBulkIds } from './bulk-ids/index.ts'
import { catalogRoutes, createCatalog } from './catalog/index.ts'
import { createDelays, delayJobs, delayRoutes } from './delays/index.ts'
import { createEdits, editRoutes } from './edits/index.ts'
import {
  createEmojiIds,
  emojiIdJobs,
  emojiIdRoutes,
  owningRoutes,
  reservedRoutes,
} from './emoji-ids/index.ts'
import { createOwnIds, ownIdRoutes } from './own-ids/index.ts'
import { createPictures, pictureJobs, pictureRoutes } from './pictures/index.ts'
import { createProfile, profileRoutes } from './profile/index.ts'
import { createRecords, recordJobs, recordRoutes } from './records/index.ts'
import { createStats, statsJobs } from './stats/index.ts'
import { createStore, storeRoutes } from './store/index.ts'
import { createSuspensions, suspensionRoutes } from './suspensions/index.ts'
import { createTokens, tokenRoutes } from './tokens/index.ts'
import { createTransfers, transferJobs, transferRoutes } from './transfers/index.ts'
import { createUsers, userRoutes } from './users/index.ts'

export type Directory = ReturnType<typeof createDirectoryWing>['services']

/** The ids: ownership, records, pages, lookups, transfers, search and prices. */
export function createDirectoryWing(parts: Parts & Operations & Identity) {
  const { config, db, sealer, log } = parts
  const emojiIds = createEmojiIds({ ...parts, restMs: config.rest_after_removal_ms })
  const suspensions = createSuspensions({ ...parts, emojiIds })
  const users = createUsers({ ...parts, emojiIds, suspensions })
  const stats = createStats(parts)
  const reader = createKeyedReader(parts)
  const records = createRecords({
    ...parts,
    reader,
    emojiIds,
    stats,
    remembered: config.lookup_cache_ids,
  })
  const transfers = createTransfers({
    ...parts,
    emojiIds,
    records,
    codeKey: sealer.derive('transfer codes'),
    recipientKey: sealer.derive('recipients of transfers'),
  })
  const profile = createProfile({ ...parts, users, emojiIds, transfers })
  const delays = createDelays({ ...parts, emojiIds, records, suspensions })
  const edits = createEdits({ ...parts, emojiIds, records, delays })
  const bulkIds = createBulkIds({ ...parts, edits, emojiIds, records })
  const catalog = createCatalog({ ...parts, emojiIds, stats })
  const store = createStore({ ...parts, records, edits, emojiIds })
  const tokens = createTokens({ ...parts, emojiIds, store, transfers, signer: parts.mintSigner })
  const drawer = createDrawer({ ffmpegPlaces: config.ffmpeg_places, log })
  const pictures = createPictures({ ...parts, drawer, emojiIds, store, baseUrl: config.base_url })
  const accountExport = createAccountExport(parts)
  const abuseReports = createAbuseReports({ ...parts, emojiIds, suspensions, transfers })
  const maxAge = config.lookup_max_age
  /** How long caches may keep a public lookup. */
  const cacheControl = maxAge > 0 ? `public, max-age=${maxAge}` : 'public, no-cache'
  const ownerEmail = config.admin?.email ?? demoAdmin
  return {
    services: {
      emojiIds,
      transfers,
      records,
      delays,
      edits,
      catalog,
      store,
      tokens,
      pictures,
      abuseReports,
      accountExport,
      cacheControl,
    },
    routes: [
      mount(profileRoutes, { profile }),
      mount(accountExportRoutes, { accountExport }),
      mount(userRoutes, { users }),
      emojiIdRoutes,
      mount(owningRoutes, { emojiIds }),
      mount(reservedRoutes, { emojiIds }),
      mount(bulkIdRoutes, { bulkIds }),
      mount(ownIdRoutes, { ownIds: createOwnIds({ db }) }),
      mount(catalogRoutes, { catalog, requiresToken: config.catalog_requires_token }),
      mount(editRoutes, { edits }),
      mount(delayRoutes, { delays }),
      mount(recordRoutes, { records, cacheControl }),
      mount(storeRoutes, { store }),
      mount(suspensionRoutes, { suspensions }),
      mount(transferRoutes, { transfers }),
      mount(tokenRoutes, { tokens }),
      mount(pictureRoutes, { pictures, cacheControl }),
      mount(abuseReportRoutes, { abuseReports }),
    ],
    jobs: [
      emojiIdJobs(emojiIds),
      transferJobs(transfers),
      statsJobs(stats),
      recordJobs(records),
      delayJobs(delays),
      pictureJobs(pictures),
      abuseReportJobs(abuseReports),
    ],
    seeds: [
      directorySeed({ ...parts, emojiIds, edits, store }, ownerEmail),
      tokensSeed(emojiIds),
      tokenPictureSeed(emojiIds, store),
    ],
    async stop() {
      pictures.stop()
      await stats.stop()
    },
  }
}
