import type { EmojiId } from '@emojid/core'
import type { JobModule } from '../../platform/jobs/worker.ts'
import { type Interests, tellTask } from './service.ts'

export const interestJobs = (interests: Interests): JobModule => ({
  tasks: { [tellTask]: (payload) => interests.tell((payload as { emoji_id: EmojiId }).emoji_id) },
})
