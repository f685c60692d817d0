import type { DatabaseMonitor } from '../../../platform/database/monitor.ts'
import type { FairQueue } from '../../../platform/fair-queue.ts'
import type { Log } from '../../../platform/log/log.ts'
import type { Database } from '../../../tables.ts'
import type { Limits } from './limits.ts'
import type { FeedEvent } from './rules.ts'

export type Options = {
  db: Database
  monitor: DatabaseMonitor
  now: () => Date
  log: Log
  /** Networks of watches are stored as HMACs under this key. */
  networkKey: Buffer
}

/** Gets every event in order, once. */
export type Follower = {
  take(events: readonly FeedEvent[]): void
  /** The cursors have changed: the database was restored. */
  end(): void
}

/** Reads new events once per process, for all its followers. */
export type Feed = {
  /**
   * Adds a follower that has every event up to this number; returns false if the feed is already
   * past it.
   */
  join(follower: Follower, after: number): boolean
  leave(follower: Follower): void
}

export type Deps = Options & {
  feed: Feed
  limits: Limits
  /** New watches wait for a lock: only one of them holds a connection meanwhile. */
  newWatches: FairQueue
}

/** The connection of a reader who follows the feed. */
export type Stream = {
  isOpen(): boolean
  /** Closes the stream of a reader who does not keep up. */
  write(text: string): void
  /** Resolves once the reader has read enough; closes the stream of one who does not. */
  drain(): Promise<void>
  end(): void
  whenClosed(action: () => void): void
  /** The text of the regular heartbeat. */
  setBeat(beat: () => string): void
}
