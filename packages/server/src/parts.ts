import type { Config } from './config.ts'
import type { EthereumSigner } from './platform/crypto/ethereum.ts'
import type { KeyRing } from './platform/crypto/key-ring.ts'
import type { Sealer } from './platform/crypto/seal.ts'
import type { DatabaseMonitor } from './platform/database/monitor.ts'
import type { Prepare } from './platform/database/prepared.ts'
import type { Replica } from './platform/database/replica/replica.ts'
import type { Log } from './platform/log/log.ts'
import type { Metrics } from './platform/metrics/metrics.ts'
import type { FetcherOptions } from './platform/outside/fetch-page.ts'
import type { HashingCost } from './platform/passwords/passwords.ts'
import type { Gateways } from './platform/payments/gateway.ts'
import type { Database } from './tables.ts'

/** What the container is made with. */
export type Parts = {
  config: Config
  db: Database
  prepare: Prepare
  monitor: DatabaseMonitor
  /** Where lookups are read from, and where it is told how often; absent: from the primary. */
  replica?: { database: Replica; metrics: Metrics } | undefined
  sealer: Sealer
  keyRing: KeyRing
  mintSigner: EthereumSigner
  /** Who takes the money. */
  gateways: Gateways
  /** Which pages of others may be read, where it is not the public ones: in tests. */
  outside?: FetcherOptions | undefined
  /** What hashing a password costs, where it is less than usual: in tests. */
  hashingCost?: HashingCost | undefined
  /** Multiplies the time limits. */
  patience?: number | undefined
  now: () => Date
  log: Log
  authUrl: string
  webUrl: string
  /** Shows a line once to the operator who started the service. */
  announce: (line: string) => void
}
