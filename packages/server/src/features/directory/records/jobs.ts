import type { EmojiId } from '@emojid/core'
import { idOf } from '../../../platform/jobs/jobs.ts'
import type { JobModule } from '../../../platform/jobs/worker.ts'
import type { Records } from './records.ts'
import { reduceTask } from './save-records.ts'

/** Reduces the old states of an id that an undo link could still need when they were replaced. */
export const recordJobs = (records: Records): JobModule => ({
  tasks: { [reduceTask]: (payload) => records.reduceStatesOf(idOf(payload) as EmojiId) },
})
