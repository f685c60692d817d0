import { type EmojiId, merkleRoot } from '@emojid/core'
import { transact } from '../../platform/database/database.ts'
import type { MaybeWhy } from '../../platform/http/schemas.ts'
import type { Database, Transaction } from '../../tables.ts'
import type { Principal } from '../access/index.ts'
import type { Accounts } from '../accounts/index.ts'
import type { Audit } from '../audit/index.ts'
import type { EmojiIds, OwnedId } from '../emoji-ids/index.ts'
import type { Keys } from '../keys/index.ts'
import type { Link, Links } from '../links/index.ts'
import type { Notifications } from '../notifications/index.ts'
import type { Organizations } from '../organizations/index.ts'
import { type KeptRecord, type Records, signedMessage, signingDomain } from '../records/index.ts'
import * as delays from './repository.ts'
import * as rules from './rules.ts'
import type { Lock, NewLock } from './schema.ts'

export type Delays = ReturnType<typeof createDelays>

type Options = {
  db: Database
  accounts: Accounts
  organizations: Organizations
  emojiIds: EmojiIds
  records: Records
  keys: Keys
  links: Links
  notifications: Notifications
  audit: Audit
  now: () => Date
  authUrl: string
}
type Told = { emoji_id?: string; hours?: number }
type Signature = { nonce: string; signature: string }
type Settled = rules.Standing & { isChanged: boolean }
type Asked = MaybeWhy & {
  /** As the id stood when it was locked. */
  standing: rules.Standing
  before: readonly KeptRecord[]
  after: readonly KeptRecord[]
  actor_id: string
  signature?: Signature | undefined
}
/** What of an edit holds now, and when the rest of it does. */
type Held = { after: readonly KeptRecord[]; changes_at?: Date }

const settledAtOnce = 100

/** The delay lock: changed payment addresses take effect only after some hours, if an owner wants so. */
export function createDelays(options: Options) {
  const { db, accounts, organizations, emojiIds, records, keys, links, notifications } = options
  const { audit, now, authUrl } = options

  const peopleBehind = async (trx: Transaction, owned: OwnedId) =>
    accounts.findAll(trx, await emojiIds.peopleBehind(trx, owned))
  const tell = async (trx: Transaction, owned: OwnedId, title: string, sentence: string) => {
    for (const user of await peopleBehind(trx, owned)) {
      await accounts.tell(trx, user, `${title}: ${owned.display_format}`, sentence)
    }
  }
  /** The same; whoever asked for it can say that it was not them. */
  const tellOfRaise = async (
    trx: Transaction,
    owned: OwnedId,
    { actor_id, before, after }: { actor_id: string | null; before: number; after: number },
  ) => {
    const sentence = rules.raisedSentence(owned.display_format, after)
    const title = `Delay lock: ${owned.display_format}`
    const told = { told: 'delay_lock', emoji_id: owned.emoji_id, hours: before } as const
    for (const user of await peopleBehind(trx, owned)) {
      // The access of a colleague has nothing to do with it.
      if (user.id !== actor_id) await accounts.tell(trx, user, title, sentence)
      else await accounts.tellToOwner(trx, user, title, sentence, told)
    }
  }
  /** The owner can cancel it from the mail, without signing in. */
  const tellWithLink = async (
    trx: Transaction,
    owned: OwnedId,
    what: { purpose: 'cancel_change' | 'keep_delay'; version: number; at: Date; changes: string[] },
  ) => {
    const { purpose, version, at, changes } = what
    for (const user of await peopleBehind(trx, owned)) {
      const { id } = user
      const email = await accounts.mailboxFor(trx, user)
      if (!email) continue
      const { token } = await links.issue(trx, purpose, id, { emoji_id: owned.emoji_id, version })
      const params = {
        emoji_id: owned.display_format,
        changes,
        at: rules.saidOf(at),
        link: `${authUrl}/${purpose}?token=${token}`,
      }
      const template = purpose === 'cancel_change' ? 'change_waits' : 'delay_lowered'
      await notifications.queueMail(trx, { to: email, template, params })
    }
  }

  /** Signed by the owner as it was asked for, if nothing else changed since; else as always. */
  const ownSignature = (owned: OwnedId, after: readonly KeptRecord[], signed: Signature | null) => {
    if (!signed || !owned.pubkey) return {}
    const message = signedMessage(
      owned.emoji_id as EmojiId,
      merkleRoot(after.map(({ hash }) => hash)),
    )
    const isRight = keys.isSignedBy(owned.pubkey, signingDomain, message, signed)
    return isRight ? { signature: signed } : {}
  }

  /** Carries out what waited long enough, and tells how the id stands then. The id is locked. */
  const settle = async (trx: Transaction, owned: OwnedId): Promise<Settled> => {
    const id = owned.emoji_id as EmojiId
    const standing = await delays.findStanding(trx, id)
    const { waiting } = standing
    if (!waiting || waiting.changes_at > now()) return { ...standing, isChanged: false }
    const difference = rules.waitingOf(waiting)
    const { records: current } = await records.current(trx, id)
    const after = rules.carriedOut(current, difference)
    const { actor_id } = waiting
    const version = await records.save(trx, owned, {
      records: after,
      actor_id,
      ...ownSignature(owned, after, waiting.signed),
    })
    await delays.removeWaiting(trx, id)
    const details = { emoji_id: id, version, ...difference, asked_at: waiting.asked_at }
    await audit.note(trx, 'records.changed', { actor_id, subject_id: owned.user_id, details })
    const changes = rules.inWords(current, difference)
    const sentence = `The change of payment addresses that was asked for on ${rules.saidOf(waiting.asked_at)} is in effect now: ${changes.join('; ')}.`
    await tell(trx, owned, 'Payment addresses have changed', sentence)
    return { lock: standing.lock, waiting: undefined, isChanged: true }
  }
  const settleId = (id: EmojiId): Promise<void> =>
    transact(db, async (trx) => {
      const owned = await emojiIds.findToChange(trx, id)
      if (owned) await settle(trx, owned)
    })

  type By = MaybeWhy & { actor_id: string }
  /** Gives up what waits; tells whether there was anything. */
  const drop = async (trx: Transaction, owned: OwnedId, { actor_id, reason }: By) => {
    const id = owned.emoji_id as EmojiId
    const waiting = await delays.findWaiting(trx, id)
    if (!waiting || waiting.changes_at <= now()) return false
    await delays.removeWaiting(trx, id)
    emojiIds.forgetAfterCommit(trx, id)
    const details = { emoji_id: id, ...rules.waitingOf(waiting), reason }
    const noted = { actor_id, subject_id: owned.user_id, details }
    await audit.note(trx, 'records.change_cancelled', noted)
    const sentence = `The change of payment addresses of ${owned.display_format} that would have taken effect on ${rules.saidOf(waiting.changes_at)} was cancelled. They stay as they are.`
    await tell(trx, owned, 'A change was cancelled', sentence)
    return true
  }

  /** Puts the lock down as planned, and tells those behind the id. */
  const save = async (
    trx: Transaction,
    owned: OwnedId,
    terms: rules.Terms | 'none',
    { actor_id, reason }: MaybeWhy & { actor_id: string | null },
  ) => {
    const id = owned.emoji_id
    const details = { emoji_id: id, ...(terms === 'none' ? { hours: 0 } : terms), reason }
    await audit.note(trx, 'delay_lock.changed', { actor_id, subject_id: owned.user_id, details })
    const before = rules.hoursAt(await delays.findLock(trx, id), now())
    if (terms === 'none') return void (await delays.removeLock(trx, id))
    const version = await delays.putLock(trx, id, terms, actor_id)
    const { hours, next_hours, next_at } = terms
    if (next_at) {
      const changes = rules.loweredInWords(hours, next_hours)
      const what = { purpose: 'keep_delay' as const, version, at: next_at, changes }
      return tellWithLink(trx, owned, what)
    }
    await tellOfRaise(trx, owned, { actor_id, before, after: hours })
  }
  /** Leaves the lock as it is, whatever lower number was asked for. */
  const keep = async (trx: Transaction, owned: OwnedId, hours: number, actor_id: string) => {
    const { emoji_id, display_format, user_id: subject_id } = owned
    const terms = { hours, next_hours: null, next_at: null }
    await delays.putLock(trx, emoji_id, terms, actor_id)
    const details = { emoji_id, ...terms }
    await audit.note(trx, 'delay_lock.changed', { actor_id, subject_id, details })
    await tell(trx, owned, 'Delay lock', rules.keptSentence(display_format, hours))
  }

  /** Whoever planned it has no access any more, or it was not them: nothing comes of it. */
  const dropPlans = async (trx: Transaction, user_id: string, organization_id?: string) => {
    for (const id of await delays.findPlannedBy(trx, user_id)) {
      const owned = await emojiIds.findToChange(trx, id as EmojiId)
      if (!owned || (organization_id && owned.organization_id !== organization_id)) continue
      const { lock, waiting } = await delays.findStanding(trx, id)
      if (waiting?.actor_id === user_id) await drop(trx, owned, { actor_id: user_id })
      if (lock?.asked_by !== user_id || !rules.isLowering(lock, now())) continue
      await keep(trx, owned, lock.hours, user_id)
    }
  }
  /** It was not them who raised it: it lasts as long as before. */
  const takeRaiseBack = async (trx: Transaction, user_id: string, told: Told) => {
    const owned = told.emoji_id && (await emojiIds.findToChange(trx, told.emoji_id as EmojiId))
    if (!owned || !(await emojiIds.peopleBehind(trx, owned)).includes(user_id)) return
    const { emoji_id, display_format, user_id: subject_id } = owned
    const lock = await delays.findLock(trx, emoji_id)
    const hours = told.hours ?? 0
    if (lock?.asked_by !== user_id || rules.hoursAt(lock, now()) <= hours) return
    if (hours > 0) return keep(trx, owned, hours, user_id)
    await delays.removeLock(trx, emoji_id)
    const noted = { actor_id: user_id, subject_id, details: { emoji_id, hours } }
    await audit.note(trx, 'delay_lock.changed', noted)
    await tell(trx, owned, 'Delay lock', rules.keptSentence(display_format, hours))
  }
  accounts.whenRevoked(async (trx, user_id, { told }) => {
    await dropPlans(trx, user_id)
    if (told?.event === 'delay_lock') await takeRaiseBack(trx, user_id, told)
  })
  accounts.whenDisowned(dropPlans)
  accounts.beforeDeletion(dropPlans)
  organizations.whenLowered(dropPlans)

  const showTo = async (trx: Transaction, caller: Principal, owned: OwnedId): Promise<Lock> => {
    const id = owned.emoji_id as EmojiId
    const { records: current } = await records.current(trx, id)
    const { lock, waiting } = await delays.findStanding(trx, id)
    return rules.showLock(lock, waiting, {
      reader: caller.user_id,
      current,
      now: now(),
      people: await emojiIds.peopleBehind(trx, owned),
    })
  }
  const loadSettled = async (trx: Transaction, caller: Principal, id: EmojiId) => {
    const owned = await emojiIds.loadToWrite(trx, caller, id)
    await settle(trx, owned)
    return owned
  }

  /** The id that a mailed link is about, if it is still that of the reader. */
  const linked = async (trx: Transaction, link: Link | undefined) => {
    const { emoji_id, version } = link?.data ?? {}
    if (!link || !emoji_id || !version) throw new rules.NothingWaitsError()
    const owned = await emojiIds.findToChange(trx, emoji_id as EmojiId)
    const isTheirs = owned && (await emojiIds.peopleBehind(trx, owned)).includes(link.user_id)
    if (!isTheirs) throw new rules.NothingWaitsError()
    return { owned, version, actor_id: link.user_id }
  }
  const linkedChange = async (trx: Transaction, link: Link | undefined) => {
    const found = await linked(trx, link)
    const waiting = await delays.findWaiting(trx, found.owned.emoji_id)
    if (waiting?.number !== found.version || waiting.changes_at <= now()) {
      throw new rules.NothingWaitsError()
    }
    return { ...found, waiting }
  }
  const linkedLock = async (trx: Transaction, link: Link | undefined) => {
    const found = await linked(trx, link)
    const lock = await delays.findLock(trx, found.owned.emoji_id)
    if (lock?.version !== found.version || !rules.isLowering(lock, now())) {
      throw new rules.NothingWaitsError()
    }
    return { ...found, lock }
  }

  // A lookup at or after the promised time sees the change, whether or not the job has run.
  records.whenDue(settleId)

  emojiIds.beforeGivenBack(async (trx, { emoji_id }) => {
    const hours = rules.hoursAt(await delays.findLock(trx, emoji_id), now())
    // Otherwise a stolen session could release the id and buy it again without the lock.
    if (hours > 0) throw new rules.LockedError(hours)
  })

  // What waits was the giver's wish. The lock ends as if it had been switched off: payers were promised time.
  emojiIds.beforeHandedOn(async (trx, owned) => {
    const { lock, waiting } = await settle(trx, owned)
    if (waiting) await delays.removeWaiting(trx, owned.emoji_id)
    const terms = lock && rules.planLock(lock, 0, now())
    if (terms === 'none') await delays.removeLock(trx, owned.emoji_id)
    else if (terms) await delays.putLock(trx, owned.emoji_id, terms, null)
  })

  return {
    settle,

    /**
     * Which part of an edit holds at once. What brings a payment address waits as a whole, if the
     * id has a lock; what only takes some away does not.
     */
    async hold(trx: Transaction, owned: OwnedId, asked: Asked): Promise<Held> {
      const { before, after, actor_id, signature, reason } = asked
      const { lock, waiting } = asked.standing
      const emoji_id = owned.emoji_id as EmojiId
      const difference = rules.differenceOf(asked)
      if (difference.inserted.length === 0) {
        if (!waiting) return { after }
        const left = rules.without(rules.waitingOf(waiting), difference.removed)
        rules.assertFits(after, left)
        await delays.shrinkWaiting(trx, emoji_id, left)
        return { after }
      }
      const rest = rules.withoutDelayed(asked)
      if (waiting) {
        const isAsked = rules.isSame(rules.waitingOf(waiting), difference)
        if (!isAsked) throw new rules.ChangeWaitingError(waiting.changes_at)
        rules.assertFits(rest, difference)
        return { after: rest, changes_at: waiting.changes_at }
      }
      const hours = rules.hoursAt(lock, now())
      if (hours === 0) return { after }
      if (signature && rest !== before) throw new rules.SignedMixError()
      rules.assertFits(rest, difference)
      const asked_at = now()
      const changes_at = rules.after(asked_at, hours)
      const row = { emoji_id, ...difference, actor_id, signed: signature ?? null }
      const version = await delays.insertWaiting(trx, { ...row, asked_at, changes_at })
      emojiIds.forgetAfterCommit(trx, emoji_id)
      const details = { emoji_id, ...difference, changes_at, reason }
      const noted = { actor_id, subject_id: owned.user_id, details }
      await audit.note(trx, 'records.change_planned', noted)
      const changes = rules.inWords(before, difference)
      const what = { purpose: 'cancel_change' as const, version, at: changes_at, changes }
      await tellWithLink(trx, owned, what)
      return { after: rest, changes_at }
    },

    drop,

    async show(caller: Principal, id: EmojiId): Promise<Lock> {
      return transact(db, async (trx) => showTo(trx, caller, await loadSettled(trx, caller, id)))
    },

    async set(caller: Principal, id: EmojiId, { hours, reason }: NewLock): Promise<Lock> {
      return transact(db, async (trx) => {
        const owned = await loadSettled(trx, caller, id)
        const terms = rules.planLock(await delays.findLock(trx, id), hours, now())
        const by = { actor_id: caller.user_id, ...(reason ? { reason } : {}) }
        if (terms) await save(trx, owned, terms, by)
        return showTo(trx, caller, owned)
      })
    },

    async cancel(caller: Principal, id: EmojiId, why: MaybeWhy): Promise<Lock> {
      return transact(db, async (trx) => {
        const owned = await emojiIds.loadToWrite(trx, caller, id)
        const isDropped = await drop(trx, owned, { actor_id: caller.user_id, ...why })
        if (!isDropped) throw new rules.NothingWaitsError()
        return showTo(trx, caller, owned)
      })
    },

    /** What a cancel link is about; only for the id's present owner. */
    lookAtChange: (token: string) =>
      transact(db, async (trx) => {
        const link = await links.peek('cancel_change', token, trx)
        const { owned, waiting } = await linkedChange(trx, link)
        const { records: current } = await records.current(trx, owned.emoji_id as EmojiId)
        const changes = rules.inWords(current, rules.waitingOf(waiting))
        return { emoji_id: owned.display_format, at: rules.saidOf(waiting.changes_at), changes }
      }),

    cancelByLink: (token: string): Promise<string> =>
      transact(db, async (trx) => {
        const link = await links.use(trx, 'cancel_change', token)
        const { owned, actor_id } = await linkedChange(trx, link)
        await drop(trx, owned, { actor_id })
        return owned.display_format
      }),

    /** What a link to keep the lock is about. */
    lookAtLock: (token: string) =>
      transact(db, async (trx) => {
        const { owned, lock } = await linkedLock(trx, await links.peek('keep_delay', token, trx))
        const at = rules.saidOf(lock.next_at ?? now())
        return { emoji_id: owned.display_format, at, hours: lock.hours }
      }),

    keepByLink: (token: string): Promise<string> =>
      transact(db, async (trx) => {
        const link = await links.use(trx, 'keep_delay', token)
        const { owned, lock, actor_id } = await linkedLock(trx, link)
        await keep(trx, owned, lock.hours, actor_id)
        return owned.display_format
      }),

    /** Carries out all that waited long enough. */
    async settleDue(): Promise<void> {
      for (;;) {
        const due = await delays.findDue(db, now(), settledAtOnce)
        for (const { emoji_id } of due) await settleId(emoji_id as EmojiId)
        if (due.length < settledAtOnce) return
      }
    },
  }
}
