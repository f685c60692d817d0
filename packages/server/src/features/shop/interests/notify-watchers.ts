import type { EmojiId } from '@emojid/core'
import { transact } from '../../../platform/database/database.ts'
import { addJob } from '../../../platform/jobs/jobs.ts'
import type { Transaction } from '../../../tables.ts'
import type { Deps } from './deps.ts'
import * as interests from './repository.ts'
import * as rules from './rules.ts'

export const notifyTask = 'interests.tell'

const batchSize = 50

/** Queues the emails as a job: thousands of users can watch one id. */
export async function scheduleNotification(trx: Transaction, emoji_id: EmojiId) {
  if (await interests.isAwaited(trx, emoji_id)) await addJob(trx, notifyTask, { emoji_id })
}

/** Emails all watchers of an id in batches, while the id is available. */
export async function notifyWatchers(deps: Deps, id: EmojiId): Promise<void> {
  const { catalog, db } = deps
  let notified = batchSize
  while (notified === batchSize) {
    const price = await catalog.findPriceNow(id)
    if (price === null) return
    notified = await transact(db, (trx) => notifyBatch(deps, trx, id, price))
  }
}

/**
 * Marks watchers as notified and queues their emails in one transaction, so that neither happens
 * without the other.
 */
async function notifyBatch(
  { now, links, notifications, webUrl, authUrl }: Deps,
  trx: Transaction,
  id: EmojiId,
  price: number,
): Promise<number> {
  const people = await interests.claimAwaiting(trx, id, batchSize, now())
  for (const { user_id, email } of people) {
    const { token } = await links.issueLink(trx, 'end_interest', user_id, { emoji_id: id })
    await notifications.queueMail(trx, {
      to: email,
      user_id,
      template: 'id_available',
      params: {
        emoji_id: id,
        price,
        link: rules.searchPage(webUrl, id),
        end_link: `${authUrl}/end_interest?token=${token}`,
      },
    })
  }
  return people.length
}
