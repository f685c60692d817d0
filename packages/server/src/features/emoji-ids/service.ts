import { ALPHABET_VERSION, displayFormat, type EmojiId, parseTonedEmojiId } from '@emojid/core'
import { afterCommit } from '../../platform/database/database.ts'
import type { DatabaseMonitor } from '../../platform/database/monitor.ts'
import type { Transaction } from '../../tables.ts'
import * as ids from './repository.ts'

export type EmojiIds = ReturnType<typeof createEmojiIds>

export function createEmojiIds({ monitor }: { monitor: DatabaseMonitor }) {
  const watchers: { forget(id: EmojiId): void; clear(): void }[] = []
  const changed = (id: EmojiId) => {
    for (const watcher of watchers) watcher.forget(id)
  }
  const everythingChanged = () => {
    for (const watcher of watchers) watcher.clear()
  }
  // The tables themselves tell (migration 0002): no statement can forget to.
  monitor.listen(
    'emoji_id_changed',
    (payload) => (payload === '*' ? everythingChanged() : changed(payload as EmojiId)),
    everythingChanged,
  )

  return {
    /** Whoever keeps copies of what belongs to ids is told when they are old. */
    watch: (watcher: { forget(id: EmojiId): void; clear(): void }) => void watchers.push(watcher),

    /** Other processes hear of a change within moments; this one forgets before the writer is told. */
    forgetAfterCommit: (trx: Transaction, id: EmojiId): void => afterCommit(trx, () => changed(id)),

    /** Registers an id as it was typed, with its tones; tells `false` when it is taken. */
    async register(
      trx: Transaction,
      text: string,
      { token_id = null }: { token_id?: number | null } = {},
    ): Promise<boolean> {
      const { id, tones } = parseTonedEmojiId(text)
      const registered = await ids.insert(trx, {
        ...{ emoji_id: id, display_format: displayFormat(id, tones) },
        ...{ generation: ALPHABET_VERSION, token_id },
      })
      if (registered) this.forgetAfterCommit(trx, id)
      return registered
    },
  }
}
