import { demoAdmin } from '../../demo/admin.ts'
import { directorySeed } from '../../demo/directory.ts'
import { tokenPictureSeed, tokensSeed } from '../../demo/tokens.ts'
import type { Parts } from '../../parts.ts'
import { createKeyedReader } from '../../platform/database/replica/keyed-reader.ts'
import { createDrawer } from '../../platform/drawing/drawer.ts'
import { mount } from '../../platform/http/mount.ts'
import { purgeJobs } from '../../platform/jobs/jobs.ts'
import type { Identity } from '../identity/index.ts'
import type { Operations } from '../operations/index.ts'
import { createAbuseReports, purgeReports } from './abuse-reports/abuse-reports.ts'
import { abuseReportRoutes } from './abuse-reports/routes.ts'
import { createBulkIds } from './bulk-ids/bulk-ids.ts'
import { bulkIdRoutes } from './bulk-ids/routes.ts'
import { createCatalog } from './catalog/catalog.ts'
import { catalogRoutes } from './catalog/routes.ts'
import { createDelays, delayJobs } from './delays/delays.ts'
import { delayRoutes } from './delays/routes.ts'
import { createEdits } from './edits/edits.ts'
import { editRoutes } from './edits/routes.ts'
import { createEmojiIds, emojiIdJobs } from './emoji-ids/emoji-ids.ts'
import { emojiIdRoutes, owningRoutes, reservedRoutes } from './emoji-ids/routes.ts'
import { createOwnIds } from './own-ids/own-ids.ts'
import { ownIdRoutes } from './own-ids/routes.ts'
import { createPictures, pictureJobs } from './pictures/pictures.ts'
import { pictureRoutes } from './pictures/routes.ts'
import { createRecords, recordJobs } from './records/records.ts'
import { recordRoutes } from './records/routes.ts'
import { createStats, purgeCounts } from './stats/stats.ts'
import { storeRoutes } from './store/routes.ts'
import { createStore } from './store/store.ts'
import { suspensionRoutes } from './suspensions/routes.ts'
import { createSuspensions } from './suspensions/suspensions.ts'
import { tokenRoutes } from './tokens/routes.ts'
import { createTokens } from './tokens/tokens.ts'
import { transferRoutes } from './transfers/routes.ts'
import { createTransfers, transferJobs } from './transfers/transfers.ts'

export type Directory = ReturnType<typeof createDirectoryWing>['services']

/** The ids: ownership, records, pages, lookups, transfers, search and prices. */
export function createDirectoryWing(parts: Parts & Operations & Identity) {
  const { config, db, sealer, log } = parts
  const emojiIds = createEmojiIds({ ...parts, restMs: config.rest_after_removal_ms })
  const suspensions = createSuspensions({ ...parts, emojiIds })
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
  const delays = createDelays({ ...parts, emojiIds, records, suspensions })
  const edits = createEdits({ ...parts, emojiIds, records, delays })
  const bulkIds = createBulkIds({ ...parts, edits, emojiIds, records })
  const catalog = createCatalog({ ...parts, emojiIds, stats })
  const store = createStore({ ...parts, records, edits, emojiIds })
  const tokens = createTokens({ ...parts, emojiIds, store, transfers, signer: parts.mintSigner })
  const drawer = createDrawer({ ffmpegPlaces: config.ffmpeg_places, log })
  const pictures = createPictures({ ...parts, drawer, emojiIds, store, baseUrl: config.base_url })
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
      suspensions,
      cacheControl,
    },
    routes: [
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
      purgeJobs(parts, [
        ['stats.purge', '30 0 * * *', purgeCounts],
        ['abuse_reports.purge', '41 3 * * *', purgeReports],
      ]),
      emojiIdJobs(emojiIds),
      transferJobs(transfers),
      recordJobs(records),
      delayJobs(delays),
      pictureJobs(pictures),
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
