import type { EmojiId } from '@emojid/core'
import type { JobModule } from '../../../platform/jobs/worker.ts'
import type { Transaction } from '../../../tables.ts'
import type { Interests } from './interests.ts'
import { notifyTask } from './notify-watchers.ts'

export const interestJobs = (interests: Interests): JobModule => ({
  tasks: {
    [notifyTask]: (payload) =>
      interests.notifyWatchers((payload as { emoji_id: EmojiId }).emoji_id),
  },
})

/** Operators cannot remove the job: watchers rely on the email. */
export const interestTaskRules = {
  [notifyTask]: {
    isKept: true,
    about: async (_trx: Transaction, payload: unknown) => ({
      emoji_id: (payload as { emoji_id: EmojiId }).emoji_id,
    }),
  },
}
