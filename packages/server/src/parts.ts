import type { Config } from './config.ts'
import type { EthereumSigner } from './platform/crypto/ethereum.ts'
import type { KeyRing } from './platform/crypto/key-ring.ts'
import type { Sealer } from './platform/crypto/seal.ts'
import type { DatabaseMonitor } from './platform/database/monitor.ts'
import type { Prepare } from './platform/database/prepared.ts'
import type { Replica } from './platform/database/replica/replica.ts'
import type { Log } from './platform/log/log.ts'
import type { Metrics } from './platform/metrics/metrics.ts'
import type { FetcherOptions } from './platform/outside/reach.ts'
import type { Hashing } from './platform/passwords/passwords.ts'
import type { Gateways } from './platform/payments/gateway.ts'
import type { Database } from './tables.ts'

/** Dependencies of the container. */
export type Parts = {
  config: Config
  db: Database
  prepare: Prepare
  monitor: DatabaseMonitor
  /** The read replica for lookups, and its metrics; absent: the primary. */
  replica?: { database: Replica; metrics: Metrics } | undefined
  sealer: Sealer
  keyRing: KeyRing
  mintSigner: EthereumSigner
  gateways: Gateways
  /** Fetches other pages than public ones, in tests. */
  outside?: FetcherOptions | undefined
  /** Cheaper password hashing, in tests. */
  hashing?: Hashing | undefined
  /** Multiplies the time limits. */
  patience?: number | undefined
  now: () => Date
  log: Log
  authUrl: string
  webUrl: string
  /** The address to which owners write against an operator's decision. */
  appealsEmail: string
  /** Prints a line once to the operator who starts the service. */
  announce: (line: string) => void
}
