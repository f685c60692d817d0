import type { Transaction } from '../../../tables.ts'
import { idPage, type OwnedId } from '../emoji-ids/emoji-ids.ts'
import type { Deps } from './delays.ts'
import * as mails from './mails.ts'
import * as rules from './rules.ts'

export type LockNotice = { emoji_id?: string; hours?: number }

export async function notifyOwners(
  deps: Deps,
  trx: Transaction,
  ownedId: OwnedId,
  title: string,
  sentence: string,
) {
  const { accounts } = deps
  for (const user of await findOwners(deps, trx, ownedId)) {
    const fullTitle = `${title}: ${ownedId.display_format}`
    await accounts.notifyAccount(trx, user, fullTitle, sentence, idPage(ownedId.emoji_id))
  }
}

/** The user who raised the lock gets a "this was not me" link. */
export async function notifyOfRaise(
  deps: Deps,
  trx: Transaction,
  ownedId: OwnedId,
  { actor_id, before, after }: { actor_id: string | null; before: number; after: number },
) {
  const { accounts } = deps
  const sentence = rules.raisedSentence(ownedId.display_format, after)
  const title = `Delay lock: ${ownedId.display_format}`
  const notice = { event: 'delay_lock', emoji_id: ownedId.emoji_id, hours: before } as const
  const page = idPage(ownedId.emoji_id)
  for (const user of await findOwners(deps, trx, ownedId)) {
    // Other owners get no "this was not me" link: their access was not used.
    if (user.id !== actor_id) await accounts.notifyAccount(trx, user, title, sentence, page)
    else await accounts.notifyOwner(trx, user, title, sentence, notice)
  }
}

/** An operator's change has no link: its owners write to the support. */
export async function notifyOfModeration(
  deps: Deps,
  trx: Transaction,
  ownedId: OwnedId,
  { changes, at }: { changes: string[]; at: Date },
) {
  const { accounts, notifications, appealsEmail } = deps
  const letter = mails.recordsModerated({
    emoji_id: ownedId.display_format,
    changes,
    at: rules.formatTime(at),
    appeals: appealsEmail,
  })
  const news = { kind: 'records_moderated', page: idPage(ownedId.emoji_id), letter }
  for (const user of await findOwners(deps, trx, ownedId)) {
    for (const { to, user_id } of await accounts.mailboxesFor(trx, user)) {
      await notifications.queueMail(trx, { to, user_id, ...news })
    }
  }
}

/** The link works without signing in. */
export async function notifyWithLink(
  deps: Deps,
  trx: Transaction,
  ownedId: OwnedId,
  notice: {
    purpose: 'cancel_change' | 'keep_delay'
    version: number
    at: Date
    changes: string[]
    actor_id: string | null
  },
) {
  const { accounts, links, authUrl, notifications } = deps
  const { purpose, version, at, changes, actor_id } = notice
  const [kind, write] =
    purpose === 'cancel_change'
      ? ['change_waits', mails.changeWaits]
      : ['delay_lowered', mails.delayLowered]
  const page = idPage(ownedId.emoji_id)
  for (const user of await findOwners(deps, trx, ownedId)) {
    const { id } = user
    const isOwn = id === actor_id
    const find = isOwn ? accounts.mailboxesForOwn : accounts.mailboxesFor
    for (const { to, user_id, until } of await find(trx, user)) {
      const data = { email: to, emoji_id: ownedId.emoji_id, version }
      const { token } = await links.issueLink(trx, purpose, id, data, until)
      const letter = write({
        emoji_id: ownedId.display_format,
        changes,
        at: rules.formatTime(at),
        link: `${authUrl}/${purpose}?token=${token}`,
      })
      await notifications.queueMail(trx, { to, user_id, kind, page, letter })
    }
  }
}

const findOwners = async ({ accounts, emojiIds }: Deps, trx: Transaction, ownedId: OwnedId) =>
  accounts.findAccounts(trx, await emojiIds.findPeopleBehind(trx, ownedId))
