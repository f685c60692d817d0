import { randomBytes, randomUUID } from 'node:crypto'
import { type EmojiId, parseEmojiId } from '@emojid/core'
import type { Sealer } from '../../platform/crypto/seal.ts'
import { transact } from '../../platform/database/database.ts'
import { toPage } from '../../platform/http/paging.ts'
import { assertMailAddress, normaliseMailAddress } from '../../platform/mail/address.ts'
import type { Database, Transaction } from '../../tables.ts'
import { assertScope, type Principal } from '../access/index.ts'
import type { Accounts } from '../accounts/index.ts'
import type { Audit } from '../audit/index.ts'
import type { Catalog } from '../catalog/index.ts'
import type { EmojiIds } from '../emoji-ids/index.ts'
import type { LootboxTypes } from '../lootbox-types/index.ts'
import type { Notifications } from '../notifications/index.ts'
import * as boxes from './repository.ts'
import * as rules from './rules.ts'
import type { LootboxChange, LootboxQuery, LootboxView, NewLootbox } from './schema.ts'
import type { Box } from './table.ts'

export type Lootboxes = ReturnType<typeof createLootboxes>

type Options = {
  db: Database
  accounts: Accounts
  audit: Audit
  catalog: Catalog
  emojiIds: EmojiIds
  lootboxTypes: LootboxTypes
  notifications: Notifications
  sealer: Sealer
  now: () => Date
  /** Whether boxes can be bought. */
  isSold: boolean
  webUrl: string
}

/** Ids are kept for the length of a transaction only: afterwards they are reserved. */
const longAgo = new Date(0)

/** Ids that somebody gets at once, without knowing which before. */
export function createLootboxes(options: Options) {
  const { db, accounts, audit, catalog, emojiIds, lootboxTypes, notifications } = options
  const { sealer, now, isSold, webUrl } = options

  accounts.beforeDeletion(async (trx, user_id) => {
    if (await boxes.hasUnopened(trx, user_id)) throw new rules.StillOwnsBoxesError()
  })

  const showAll = async (
    found: readonly Box[],
    viewer: rules.Viewer,
    from: Database | Transaction = db,
  ): Promise<LootboxView[]> => {
    const types = await lootboxTypes.findAll(from, given(found.map((box) => box.lootbox_type_id)))
    const users = await accounts.findAll(from, given(found.map(({ owner_id }) => owner_id)))
    const owners = new Map((await accounts.showAll(users, from)).map((user) => [user.id, user]))
    return found.map((box) =>
      rules.showBox(
        ...([box, viewer] as const),
        types.get(box.lootbox_type_id ?? ''),
        owners.get(box.owner_id ?? ''),
      ),
    )
  }
  const show = async (box: Box, viewer: rules.Viewer, from?: Transaction) => {
    const [shown] = await showAll([box], viewer, from)
    return shown as LootboxView
  }
  const loadToChange = async (trx: Transaction, id: string): Promise<Box> => {
    const box = await boxes.findToChange(trx, id)
    if (!box) throw new rules.UnknownBoxError()
    return box
  }
  const note = (
    trx: Transaction,
    event: 'created' | 'changed' | 'deleted' | 'opened',
    actor_id: string,
    { id, status, owner_id, seed_hash }: Box,
    more: { former_owner_id?: string | null; reason?: string | undefined } = {},
  ) => {
    const details = { lootbox_id: id, status, seed_hash, ...more }
    return audit.note(trx, `lootbox.${event}`, { actor_id, subject_id: owner_id, details })
  }

  /** Whoever has the address confirmed; until somebody has, the address itself. */
  const ownerOf = async (trx: Transaction, given: rules.GivenOwner) => {
    const { owner_id, owner_email } = given
    if (owner_email !== undefined) assertMailAddress(owner_email, 'owner_email')
    const named = owner_email ? await accounts.findByEmail(owner_email, trx) : undefined
    const id = owner_id ?? (named?.email_verified_at ? named.id : undefined)
    if (id === undefined) {
      return owner_email === undefined
        ? undefined
        : { owner_id: null, owner_email: normaliseMailAddress(owner_email) }
    }
    const user = await accounts.findToChange(trx, id)
    if (!user || user.deactivated_at) {
      const message = 'There is no such user, or they are deactivated.'
      throw new rules.OwnerError('owner_unknown', message, rules.fieldOf(given))
    }
    return { owner_id: user.id, owner_email: null }
  }

  const addressOf = async (trx: Transaction, { owner_id, owner_email }: Box) =>
    owner_id ? (await accounts.find(owner_id, trx))?.email : owner_email
  /** Tells the owner of a box, unless they had it before. */
  const tellOwner = async (trx: Transaction, box: Box, before?: Box): Promise<void> => {
    const to = await addressOf(trx, box)
    const told = before && (await addressOf(trx, before))
    if (!to || (told && normaliseMailAddress(to) === normaliseMailAddress(told))) return
    const params = { ids: box.yats.length, link: `${webUrl}/account/lootboxes` }
    await notifications.queueMail(trx, { to, template: 'lootbox_given', params })
  }

  /** Reserves ids for a box that is there; answers those that others have or keep. */
  const keep = (trx: Transaction, user_id: string, box_id: string, ids: readonly EmojiId[]) =>
    emojiIds.hold(trx, { order_id: box_id, user_id, expires_at: longAgo }, ids)
  const seedOf = ({ id, sealed_seed }: Box): Buffer => sealer.open(sealed_seed, placeOf(id))

  /** Makes a box if all of its ids can be had; answers those that cannot. */
  const put = async (
    trx: Transaction,
    actor_id: string,
    filling: rules.Filling,
    state: { status: Box['status'] } & (rules.Owner | typeof rules.nobody),
  ): Promise<{ box?: Box; taken: EmojiId[]; held: EmojiId[] }> => {
    const { id, seed, yats, drawn } = filling
    const ids = yats.map((yat) => yat.id)
    const { taken, held } = await keep(trx, actor_id, id, ids)
    if (taken.length + held.length > 0) return { taken, held }
    const box = await boxes.insert(trx, {
      id,
      lootbox_type_id: drawn?.lootbox_type_id ?? null,
      ...state,
      ...rules.unkept,
      ...rules.contentsOf(yats, await catalog.pricesOf(trx, ids)),
      sealed_seed: sealer.seal(seed, placeOf(id)),
      ...rules.commitTo(filling),
      recipe: drawn ? JSON.stringify(drawn.recipe) : null,
      rejected: JSON.stringify(drawn?.rejected ?? []),
      created_at: now(),
      updated_at: now(),
      opened_at: null,
    })
    await emojiIds.box(trx, id, ids)
    return { box, taken, held }
  }

  /** All ids to the owner, or nothing happens. */
  const openBox = async (trx: Transaction, actor_id: string, box: Box): Promise<Box> => {
    rules.assertNotFrozen(box)
    const owner = box.owner_id && (await accounts.findToChange(trx, box.owner_id))
    if (!owner || owner.deactivated_at) {
      const message = owner ? 'Its owner is deactivated.' : 'No account has this address confirmed.'
      throw new rules.OwnerError('owner_unknown', message, rules.fieldOf(box))
    }
    const pubkey = await emojiIds.keyForBuyer(trx, owner.id, null)
    await emojiIds.unbox(trx, box.id)
    for (const text of box.yats.toSorted()) {
      const emoji_id = parseEmojiId(text)
      if (!(await emojiIds.register(trx, text, { pubkey, order_id: box.order_id }))) {
        throw new rules.RefusedIdsError('taken', [emoji_id])
      }
      const details = { emoji_id, pubkey, lootbox_id: box.id }
      await audit.note(trx, 'emoji_id.granted', { actor_id, subject_id: owner.id, details })
    }
    const change = { status: 'Used' as const, opened_at: now(), updated_at: now() }
    const opened = (await boxes.update(trx, box.id, box.status, change)) as Box
    await note(trx, 'opened', actor_id, opened)
    return opened
  }

  /** Other ids into a box that nobody else has seen. */
  const refill = async (trx: Transaction, user_id: string, box: Box, texts: readonly string[]) => {
    const yats = rules.readYats(texts)
    const wanted = yats.map(({ id }) => id)
    const present = box.yats.map((text) => parseEmojiId(text))
    const added = wanted.filter((id) => !present.includes(id))
    if (added.length > 0) rules.assertKept(await keep(trx, user_id, box.id, added))
    await emojiIds.unbox(trx, box.id)
    await emojiIds.box(trx, box.id, wanted)
    for (const id of present) if (!wanted.includes(id)) await emojiIds.freed(trx, id)
    const { contents_hash } = rules.commitTo({ seed: seedOf(box), yats })
    return { ...rules.contentsOf(yats, await catalog.pricesOf(trx, wanted)), contents_hash }
  }

  return {
    put,
    showAll,
    find: (id: string) => boxes.find(db, id),
    findAll: async (from: Database | Transaction, ids: readonly string[]) =>
      ids.length === 0 ? [] : boxes.findAll(from, ids),
    /** The seed of a box; for no one before it is opened. */
    reveal: (box: Box) => (box.status === 'Used' ? seedOf(box).toString('hex') : null),
    /** What orders do to boxes, each by one conditional statement. */
    keepFor: boxes.hold,
    extendHolds: boxes.setHolds,
    unhold: boxes.removeHolds,
    sell: boxes.sell,
    takeBack: boxes.takeBack,
    setFrozen: boxes.setFrozen,

    async create(caller: Principal, body: NewLootbox): Promise<LootboxView> {
      const { status, yats, reason } = body
      rules.assertOwnerFits(status, body, false)
      const filling = { id: randomUUID(), seed: randomBytes(32), yats: rules.readYats(yats) }
      return transact(db, async (trx) => {
        const owner = (await ownerOf(trx, body)) ?? rules.nobody
        // One that is opened at once is owned for a moment.
        const first = status === 'Used' ? 'Owned' : status
        const made = await put(trx, caller.user_id, filling, { status: first, ...owner })
        rules.assertKept(made)
        const box = made.box as Box
        await note(trx, 'created', caller.user_id, box, { reason })
        if (status === 'Owned') await tellOwner(trx, box)
        const opened = status === 'Used' ? await openBox(trx, caller.user_id, box) : box
        return show(opened, 'whole', trx)
      })
    },

    async list(caller: Principal, query: LootboxQuery) {
      await boxes.claim(db, caller.user_id, now())
      const { owner_id, status } = query
      const isOperator = rules.mayReadAll(caller)
      if (owner_id !== undefined && owner_id !== caller.user_id) {
        assertScope(caller, 'adminLootbox:read')
      }
      const isForSale = !isOperator && isSold && status === 'Available' && owner_id === undefined
      const own = isOperator || isForSale ? {} : { owner_id: caller.user_id }
      const forSaleTo = isForSale ? { user_id: caller.user_id, at: now() } : undefined
      const page = await boxes.findPage(db, { ...query, ...own }, forSaleTo)
      const shown = await showAll(page.rows, isOperator ? 'whole' : 'stripped')
      return toPage(shown, page.total, query)
    },

    async get(caller: Principal, id: string): Promise<LootboxView> {
      await boxes.claim(db, caller.user_id, now())
      const box = await boxes.find(db, id)
      const isOperator = rules.mayReadAll(caller)
      if (!box) throw new rules.UnknownBoxError()
      const shown = await show(box, isOperator ? 'whole' : 'stripped')
      const isOffered = isSold && box.status === 'Available' && shown.lootbox_type?.price_in_cents
      if (!isOperator && !isOffered && box.owner_id !== caller.user_id) {
        throw new rules.UnknownBoxError()
      }
      return shown
    },

    async change(caller: Principal, id: string, body: LootboxChange): Promise<LootboxView> {
      return transact(db, async (trx) => {
        const box = await loadToChange(trx, id)
        const status = rules.statusAfter(box, body, now())
        const owner = await ownerOf(trx, body)
        if (owner) rules.assertMayPass(box, owner)
        const contents = body.yats && (await refill(trx, caller.user_id, box, body.yats))
        const isGiven = box.status !== 'Owned' && owner !== undefined
        const changed = (await boxes.update(trx, id, box.status, {
          ...owner,
          ...contents,
          ...(isGiven ? rules.unkept : {}),
          status: status === 'Used' ? 'Owned' : status,
          updated_at: now(),
        })) as Box
        await note(trx, 'changed', caller.user_id, changed, rules.noteOf(box, owner, body))
        if (status === 'Owned') await tellOwner(trx, changed, box)
        const opened = status === 'Used' ? await openBox(trx, caller.user_id, changed) : changed
        return show(opened, 'whole', trx)
      })
    },

    async remove(caller: Principal, id: string, reason?: string): Promise<LootboxView> {
      return transact(db, async (trx) => {
        const box = await loadToChange(trx, id)
        rules.assertMay(box.status, 'delete', 'gone')
        rules.assertNotKept(box, now())
        for (const { emoji_id } of await emojiIds.unbox(trx, id)) {
          await emojiIds.freed(trx, emoji_id as EmojiId)
        }
        await boxes.remove(trx, id, box.status)
        await note(trx, 'deleted', caller.user_id, box, { reason })
        return show(box, 'whole', trx)
      })
    },

    async open(caller: Principal, id: string): Promise<LootboxView> {
      return transact(db, async (trx) => {
        await boxes.claim(trx, caller.user_id, now())
        const box = await loadToChange(trx, id)
        const isOwner = box.owner_id === caller.user_id
        if (!isOwner && !rules.mayReadAll(caller)) throw new rules.UnknownBoxError()
        rules.assertMay(box.status, 'open', 'Used')
        if (!isOwner) throw new rules.NotOwnerError()
        if (box.status === 'Used') return show(box, 'stripped', trx)
        return show(await openBox(trx, caller.user_id, box), 'stripped', trx)
      })
    },
  }
}

/** Wraps every seed with the current master key. Answers how many it was. */
export const rewrapLootboxes = (db: Database, sealer: Sealer): Promise<number> =>
  boxes.rewrap(db, (id, sealed) => sealer.rewrap(sealed, placeOf(id)))

/** Sealed for its own row alone. */
const placeOf = (id: string): string => `lootbox seed ${id}`

const given = (ids: readonly (string | null)[]): string[] => ids.filter((id) => id !== null)
