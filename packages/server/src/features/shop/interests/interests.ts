import type { EmojiId } from '@emojid/core'
import { bindUseCases } from '../../../platform/bind.ts'
import { transact } from '../../../platform/database/database.ts'
import { toPage } from '../../../platform/http/api/paging.ts'
import { createBudget } from '../../../platform/http/limits.ts'
import { addJob } from '../../../platform/jobs/jobs.ts'
import type { JobModule } from '../../../platform/jobs/worker.ts'
import type { Database, Transaction } from '../../../tables.ts'
import type { Catalog } from '../../directory/catalog/catalog.ts'
import { type EmojiIds, readEmojiId } from '../../directory/emoji-ids/emoji-ids.ts'
import type { Accounts } from '../../identity/accounts/accounts.ts'
import type { Links } from '../../identity/links/links.ts'
import type { Principal } from '../../operations/access/access.ts'
import type { Notifications } from '../../operations/notifications/notifications.ts'
import * as interests from './repository.ts'
import type { InterestQuery } from './routes.ts'
import * as rules from './rules.ts'

export type Deps = {
  db: Database
  accounts: Accounts
  emojiIds: EmojiIds
  catalog: Catalog
  links: Links
  notifications: Notifications
  now: () => Date
  authUrl: string
  webUrl: string
}

/** Registering takes 6 ms of CPU. */
const rates = {
  each: { atOnce: 300, perSecond: 30 },
  all: { atOnce: 1_000, perSecond: 100 },
}

export type Interests = ReturnType<typeof createInterests>

/** The watchlist: users who want an email when an id becomes available. */
export function createInterests(deps: Deps) {
  const { accounts, emojiIds } = deps
  accounts.whenDisowned(removeInterestsOfUser)
  accounts.beforeDeletion(removeInterestsOfUser)
  emojiIds.whenFreed(scheduleNotification)

  return {
    registrations: createBudget('interests', rates),
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

/** Puts an id on the caller's watchlist. */
async function registerInterest({ db, accounts, now }: Deps, { user_id }: Principal, text: string) {
  const id = readEmojiId(text)
  return transact(db, async (trx) => {
    await accounts.loadAccountToChange(trx, user_id)
    const owner = await interests.findOwner(trx, id)
    if (owner?.user_id === user_id) throw rules.ownId(id)
    const at = now()
    const dates = { created_at: at, updated_at: at, notified_at: null }
    const interest = await interests.insert(trx, { user_id, emoji_id: id, ...dates })
    if (!interest) throw rules.alreadyInterested(id)
    const count = await interests.countOf(trx, user_id)
    if (count > rules.interestsAtMost) throw rules.tooManyInterests()
    return interest
  })
}

async function listInterests({ db }: Deps, { user_id }: Principal, query: InterestQuery) {
  const { rows, total } = await interests.findPage(db, user_id, query)
  return toPage(rows, total, query)
}

async function showInterest({ db }: Deps, { user_id }: Principal, text: string) {
  const id = readEmojiId(text)
  const interest = await interests.find(db, user_id, id)
  if (!interest) throw rules.unknownInterest(id)
  return interest
}

async function removeInterest({ db }: Deps, { user_id }: Principal, text: string) {
  const id = readEmojiId(text)
  return transact(db, async (trx) => {
    const removedInterest = await interests.remove(trx, user_id, id)
    if (!removedInterest) throw rules.unknownInterest(id)
    return removedInterest
  })
}

const batchSize = 50

/** Emails all watchers of an id in batches, while the id is available. */
async function notifyWatchers(deps: Deps, id: EmojiId): Promise<void> {
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
      kind: 'id_available',
      page: '/account/interests',
      letter: rules.idAvailable({
        emoji_id: id,
        price,
        link: rules.searchPage(webUrl, id),
        end_link: `${authUrl}/end_interest?token=${token}`,
      }),
    })
  }
  return people.length
}

/** Returns the id of an unsubscribe link without using the link. */
async function previewUnsubscribe({ links }: Deps, token: string): Promise<{ emoji_id: string }> {
  const { emoji_id } = (await links.peekLink('end_interest', token))?.data ?? {}
  if (!emoji_id) throw rules.expiredLink()
  return { emoji_id }
}

/** Removes the interest that the email was about, if it is still there. */
async function unsubscribe({ db, accounts }: Deps, token: string): Promise<string> {
  return transact(db, async (trx) => {
    const result = await accounts.takeLink(trx, 'end_interest', token)
    const emoji_id = result?.link.data.emoji_id
    if (!emoji_id) throw rules.expiredLink()
    await interests.remove(trx, result.user.id, emoji_id)
    return emoji_id
  })
}

async function removeInterestsOfUser(trx: Transaction, user_id: string) {
  await interests.removeOfUser(trx, user_id)
}

const notifyTask = 'interests.tell'

/** Queues the emails as a job: thousands of users can watch one id. */
async function scheduleNotification(trx: Transaction, emoji_id: EmojiId) {
  if (await interests.isAwaited(trx, emoji_id)) await addJob(trx, notifyTask, { emoji_id })
}

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
