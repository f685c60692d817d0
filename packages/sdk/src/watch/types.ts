import type { EmojiId } from '@emojid/core'

/** A change of a watched id. Look it up again before you pay it. */
export type Change =
  | {
      id: EmojiId
      reason: 'event'
      type:
        | 'emoji_id.registered'
        | 'emoji_id.records_changed'
        | 'emoji_id.transferred'
        | 'emoji_id.released'
        | 'emoji_id.suspended'
        | 'emoji_id.restored'
      /** Grows with every event of the id. */
      version: number
      /** The categories of the changed records, such as `0x1003`. */
      tags: readonly string[]
      timestamp: string
    }
  /** Changes may have been missed, after a month offline or a restore of the directory. */
  | { id: EmojiId; reason: 'missed' }

export type WatchOptions = {
  signal?: AbortSignal
  /** `stream` with polling where streams do not arrive; default: `stream`. */
  mode?: 'stream' | 'poll'
  /** The pause between two polls; default: 5 seconds. */
  pollMs?: number
  /** A stream that stays silent for this long at its start does not arrive; default: 8 seconds. */
  helloMs?: number
  /** A longer Retry-After is cut to this; default: 60 seconds. */
  longestWaitMs?: number
  /**
   * Gets the errors of your `onChange` and of unusable ids, with the id, and the error that ends
   * the watch; default: `console.error`.
   */
  onError?: (error: unknown, id?: string) => void
}

export type WatchHandle = {
  /** Resolves once every later change is reported. Look your ids up after it. */
  ready: Promise<void>
  /**
   * Resolves after `close`. Rejects if the service refuses the request itself: lost connections,
   * rate limits and failures of the service are retried for as long as the watch is open.
   */
  closed: Promise<void>
  close(): void
}

/**
 * Calls `onChange` for every change of these ids, at most 1,000, until it is closed. It waits for a
 * returned promise before the next change. It leaves out unusable ids and passes them to `onError`;
 * it throws if no id is usable.
 */
export type Watch = (
  ids: readonly string[],
  onChange: (change: Change) => unknown,
  options?: WatchOptions,
) => WatchHandle
