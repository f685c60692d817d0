import type { PriceTable } from '@emojid/core'
import type { createLoadingCache } from '../../../platform/cache/loading-cache.ts'
import type { DatabaseMonitor } from '../../../platform/database/monitor.ts'
import type { Database } from '../../../tables.ts'
import type { Audit } from '../../operations/audit/audit.ts'
import type { EmojiIds } from '../emoji-ids/emoji-ids.ts'
import type { Stats } from '../stats/stats.ts'
import type { Limits } from './limits.ts'

export type Options = {
  db: Database
  monitor: DatabaseMonitor
  emojiIds: EmojiIds
  stats: Stats
  audit: Audit
  now: () => Date
}

export type Deps = Options & {
  limits: Limits
  priceCache: ReturnType<typeof createLoadingCache<PriceTable>>
}
