import type { EmojiId } from '@emojid/core'
import type { JobModule } from '../../../platform/jobs/worker.ts'
import { drawTask } from './draw-picture.ts'
import type { Pictures } from './pictures.ts'

export const pictureJobs = (pictures: Pictures): JobModule => ({
  tasks: {
    [drawTask]: (payload) => pictures.drawPicture((payload as { emoji_id: EmojiId }).emoji_id),
  },
})
