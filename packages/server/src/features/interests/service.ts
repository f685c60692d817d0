import type { EmojiId } from '@emojid/core'
import { transact } from '../../platform/database/database.ts'
import { toPage } from '../../platform/http/paging.ts'
import { addJob } from '../../platform/jobs/jobs.ts'
import type { Database, Transaction } from '../../tables.ts'
import type { Principal } from '../access/index.ts'
import type { Accounts } from '../accounts/index.ts'
import type { Catalog } from '../catalog/index.ts'
import { type EmojiIds, readEmojiId } from '../emoji-ids/index.ts'
import type { Links } from '../links/index.ts'
import type { Notifications } from '../notifications/index.ts'
import * as interests from './repository.ts'
import * as rules from './rules.ts'
import type { InterestQuery } from './schema.ts'

export type Interests = ReturnType<typeof createInterests>

type Options = {
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

export const tellTask = 'interests.tell'
const toldAtOnce = 50

/** Who wants to know when an id becomes free, and the one mail that tells them. */
export function createInterests(options: Options) {
  const { db, accounts, emojiIds, catalog, links, notifications, now, authUrl, webUrl } = options

  const drop = async (trx: Transaction, user_id: string) =>
    void (await interests.removeOfUser(trx, user_id))
  accounts.whenDisowned(drop)
  accounts.beforeDeletion(drop)
  // Thousands may wait for one id: whoever frees it leaves the mails to a job.
  emojiIds.whenFreed(async (trx, emoji_id) => {
    if (await interests.isAwaited(trx, emoji_id)) await addJob(trx, tellTask, { emoji_id })
  })

  /** Who is marked as told has a mail in the queue: both are in one transaction. */
  const tellSome = async (trx: Transaction, id: EmojiId, price: number): Promise<number> => {
    const people = await interests.claimAwaiting(trx, id, toldAtOnce, now())
    for (const { user_id, email } of people) {
      const { token } = await links.issue(trx, 'end_interest', user_id, { emoji_id: id })
      await notifications.queueMail(trx, {
        to: email,
        template: 'id_available',
        params: {
          ...{ emoji_id: id, price, link: rules.searchPage(webUrl, id) },
          end_link: `${authUrl}/end_interest?token=${token}`,
        },
      })
    }
    return people.length
  }

  return {
    async register({ user_id }: Principal, text: string) {
      const id = readEmojiId(text)
      return transact(db, async (trx) => {
        await accounts.loadToChange(trx, user_id)
        const owner = await interests.findOwner(trx, id)
        if (owner?.user_id === user_id) throw new rules.OwnIdError(id)
        const at = now()
        const dates = { created_at: at, updated_at: at, notified_at: null }
        const made = await interests.insert(trx, { user_id, emoji_id: id, ...dates })
        if (!made) throw new rules.AlreadyInterestedError(id)
        const count = await interests.countOf(trx, user_id)
        if (count > rules.interestsAtMost) throw new rules.TooManyInterestsError()
        return made
      })
    },

    async list({ user_id }: Principal, query: InterestQuery) {
      const { rows, total } = await interests.findPage(db, user_id, query)
      return toPage(rows, total, query)
    },

    async show({ user_id }: Principal, text: string) {
      const id = readEmojiId(text)
      const found = await interests.find(db, user_id, id)
      if (!found) throw new rules.UnknownInterestError(id)
      return found
    },

    async remove({ user_id }: Principal, text: string) {
      const id = readEmojiId(text)
      return transact(db, async (trx) => {
        const removed = await interests.remove(trx, user_id, id)
        if (!removed) throw new rules.UnknownInterestError(id)
        return removed
      })
    },

    /** Mails everybody who waits for an id, some at a time, as long as it can be had. */
    async tell(id: EmojiId): Promise<void> {
      for (let told = toldAtOnce; told === toldAtOnce; ) {
        const price = await catalog.priceNow(id)
        if (price === null) return
        told = await transact(db, (trx) => tellSome(trx, id, price))
      }
    },

    /** What a link in a mail would end, without ending it. */
    async lookAtEnd(token: string): Promise<{ emoji_id: string }> {
      const { emoji_id } = (await links.peek('end_interest', token))?.data ?? {}
      if (!emoji_id) throw new rules.LinkGoneError()
      return { emoji_id }
    },

    /** Ends the interest that a mail was about; it may have ended in another way before. */
    async end(token: string): Promise<string> {
      return transact(db, async (trx) => {
        const found = await accounts.follow(trx, 'end_interest', token)
        const emoji_id = found?.link.data.emoji_id
        if (!emoji_id) throw new rules.LinkGoneError()
        await interests.remove(trx, found.user.id, emoji_id)
        return emoji_id
      })
    },
  }
}
