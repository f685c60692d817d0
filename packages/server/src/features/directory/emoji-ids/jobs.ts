import type { JobModule } from '../../../platform/jobs/worker.ts'
import type { EmojiIds } from './emoji-ids.ts'

export const emojiIdJobs = (emojiIds: EmojiIds): JobModule => ({
  tasks: { 'emoji_ids.sweep': () => emojiIds.sweepHolds() },
  schedules: [{ task: 'emoji_ids.sweep', cron: '* * * * *' }],
})
