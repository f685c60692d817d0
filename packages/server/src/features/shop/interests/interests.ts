import { bindUseCases } from '../../../platform/bind.ts'
import type { Deps } from './deps.ts'
import { createLimits } from './limits.ts'
import { notifyWatchers, scheduleNotification } from './notify-watchers.ts'
import { listInterests, showInterest } from './read-interests.ts'
import { registerInterest } from './register-interest.ts'
import {
  previewUnsubscribe,
  removeInterest,
  removeInterestsOfUser,
  unsubscribe,
} from './remove-interest.ts'

export type Interests = ReturnType<typeof createInterests>

/** The watchlist: users who want an email when an id becomes available. */
export function createInterests(deps: Deps) {
  const { accounts, emojiIds } = deps
  accounts.whenDisowned(removeInterestsOfUser)
  accounts.beforeDeletion(removeInterestsOfUser)
  emojiIds.whenFreed(scheduleNotification)

  const limits = createLimits()

  return {
    limits,
    ...bindUseCases(deps, {
      registerInterest,
      listInterests,
      showInterest,
      removeInterest,
      notifyWatchers,
      previewUnsubscribe,
      unsubscribe,
    }),
  }
}
