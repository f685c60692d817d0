import { randomInt } from 'node:crypto'
import type { Signature } from '../../platform/crypto/ristretto.ts'
import { transact } from '../../platform/database/database.ts'
import { isDuplicate } from '../../platform/database/faults.ts'
import { toPage } from '../../platform/http/paging.ts'
import type { MaybeWhy } from '../../platform/http/schemas.ts'
import type { Database, Transaction } from '../../tables.ts'
import { isAdmin, MissingScopeError, mayInOrganization, type Principal } from '../access/index.ts'
import type { Accounts } from '../accounts/index.ts'
import type { Audit } from '../audit/index.ts'
import { type Keys, readPubkey } from '../keys/index.ts'
import type { Organizations } from '../organizations/index.ts'
import { redemptionSubject, type Throttle } from '../throttle/index.ts'
import * as codes from './repository.ts'
import * as rules from './rules.ts'
import type { CodeChange, CodeQuery, NewCode } from './schema.ts'
import type { Code } from './table.ts'

export type Codes = ReturnType<typeof createCodes>

type Options = {
  db: Database
  accounts: Accounts
  audit: Audit
  keys: Keys
  organizations: Organizations
  throttle: Throttle
  now: () => Date
  /** From then on the weak form of old clients counts for no code. */
  legacyUntil: Date
}
type Scope = 'code:read' | 'code:write' | 'code:delete'
/** A code on an order, for so many of its ids. */
type Use = { order_id: string; user_id: string; emojis: number }

const pubkeysAtMost = 100

export function createCodes(options: Options) {
  const { db, accounts, audit, keys, organizations, throttle, now, legacyUntil } = options

  const assertMayIn = (caller: Principal, organization_id: string | undefined, scope: Scope) => {
    if (caller.scopes.has(scope)) return
    if (organization_id === undefined) throw new MissingScopeError([scope])
    organizations.assertMay(caller, organization_id, 'organizationCode:admin')
  }
  /** The code, locked, if the caller may do this to it. To others there is none. */
  const loadToChange = async (trx: Transaction, caller: Principal, id: string, scope: Scope) => {
    const code = await codes.findToChange(trx, id)
    if (!code || code.deleted_at) throw new rules.UnknownCodeError()
    if (caller.scopes.has(scope)) return code
    const { organization_id: organization } = code
    if (organization && mayInOrganization(caller, organization, 'organizationCode:admin')) {
      return code
    }
    const mayKnow = isAdmin(caller) || caller.memberships.has(organization ?? '')
    throw mayKnow ? new MissingScopeError([scope]) : new rules.UnknownCodeError()
  }
  const show = async (found: readonly Code[], from: Database | Transaction = db) => {
    const ids = found.map(({ id }) => id)
    if (ids.length === 0) return []
    const uses = new Map((await codes.countUses(from, ids)).map((use) => [use.code_id, use]))
    const listed = await codes.findPubkeys(from, ids)
    return found.map((code) => rules.showCode(code, uses.get(code.id), listed))
  }
  const showOne = async (trx: Transaction, code: Code) => {
    const [shown] = await show([code], trx)
    return shown as NonNullable<typeof shown>
  }
  const toRow = ({ pattern, ...terms }: rules.Terms) => ({
    ...terms,
    pattern: pattern && JSON.stringify(pattern),
    updated_at: now(),
  })
  const refuseTaken = (error: unknown): never => {
    throw isDuplicate(error) ? new rules.RedemptionCodeTakenError() : error
  }

  const authorOf = (caller: Principal): rules.Author =>
    caller.scopes.has('code:write') ? 'operator' : 'partner'

  /** What partners give away is theirs: at most the fee that they add to the price. */
  const assertOwnMoney = async (trx: Transaction, terms: rules.Terms, wasCombinable: boolean) => {
    rules.assertSameCombinable(wasCombinable, terms)
    const partner = await organizations.find(trx, terms.organization_id ?? '')
    rules.assertWithinFee(terms, partner?.client_fee_percent ?? 0)
  }

  const make = async (
    trx: Transaction,
    body: NewCode,
    author: rules.Author = 'operator',
  ): Promise<Code> => {
    const terms = rules.readTerms(body)
    terms.limited_to_fee = author === 'partner'
    rules.assertFindable(terms, randomInt)
    const row = toRow(terms)
    return codes
      .insert(trx, { ...row, created_at: row.updated_at, deleted_at: null })
      .catch(refuseTaken)
  }
  const listPubkey = async (trx: Transaction, code: Code, pubkey: string): Promise<void> => {
    if (code.activator !== 'SecretKey') throw new rules.NotForKeysError()
    const listed = await codes.findPubkeys(trx, [code.id])
    if (listed.some((one) => one.pubkey === pubkey)) return
    if (listed.length >= pubkeysAtMost) throw new rules.TooManyPubkeysError()
    await codes.putPubkey(trx, code.id, pubkey, now())
  }
  /** The code that somebody typed, or has activated, locked until the transaction ends. */
  const findUsable = async (trx: Transaction, wanted: { code: string } | { code_id: string }) => {
    if ('code_id' in wanted) return codes.findToChange(trx, wanted.code_id)
    const typed = rules.readTyped(wanted.code)
    return typed === undefined ? undefined : codes.findTypedToChange(trx, typed)
  }
  /** What keeps a code, which is locked, from one more use. */
  const limitReached = async (trx: Transaction, code: Code, { order_id, user_id, emojis }: Use) => {
    const { id, max_uses, max_emojis_per_user } = code
    if (max_uses !== null && (await codes.countOthers(trx, id, order_id)) >= max_uses) return 'uses'
    if (max_emojis_per_user === null) return undefined
    const before = await codes.sumEmojis(trx, id, order_id, user_id)
    return before + emojis > max_emojis_per_user ? 'emojis' : undefined
  }
  const isSigned = (code: Code, pubkey: string, message: string, given: Signature): boolean => {
    const signature = {
      nonce: given.nonce.toLowerCase(),
      signature: given.signature.toLowerCase(),
    }
    return (
      keys.isSignedBy(pubkey, 'emojid/code-activation/v1', message, signature) ||
      (code.legacy_challenge &&
        now() < legacyUntil &&
        keys.isBarelySignedBy(pubkey, message, signature))
    )
  }

  return {
    make,
    listPubkey,
    discountsOf: rules.discountsOf,
    find: (from: Database | Transaction, code_id: string) => codes.find(from, code_id),
    /** How often this user has paid with the code. */
    countOf: (from: Database | Transaction, code_id: string, user_id: string) =>
      codes.countOf(from, code_id, user_id),

    async list(caller: Principal, query: CodeQuery) {
      assertMayIn(caller, query.organization_id, 'code:read')
      const { rows, total } = await codes.findPage(db, query)
      return toPage(await show(rows), total, query)
    },

    async create(caller: Principal, body: NewCode) {
      const { organization_id } = body
      assertMayIn(caller, organization_id, 'code:write')
      return transact(db, async (trx) => {
        if (organization_id) await organizations.load(trx, organization_id)
        const author = authorOf(caller)
        if (author === 'partner') await assertOwnMoney(trx, rules.readTerms(body), false)
        const code = await make(trx, body, author)
        const { limited_to_fee } = code
        const details = {
          code_id: code.id,
          ...rules.readTerms(body),
          limited_to_fee,
          ...rules.why(body),
        }
        await audit.note(trx, 'code.created', { actor_id: caller.user_id, details })
        return showOne(trx, code)
      })
    },

    async change(caller: Principal, id: string, body: CodeChange) {
      return transact(db, async (trx) => {
        const code = await loadToChange(trx, caller, id, 'code:write')
        const author = authorOf(caller)
        const terms = rules.changeTerms(code, body, author)
        if (author === 'partner') await assertOwnMoney(trx, terms, code.combinable)
        if (body.pattern) rules.assertFindable(terms, randomInt)
        const changed = await codes.update(trx, id, toRow(terms)).catch(refuseTaken)
        const details = { code_id: id, ...terms, ...rules.why(body) }
        await audit.note(trx, 'code.changed', { actor_id: caller.user_id, details })
        return showOne(trx, changed)
      })
    },

    /** What is on carts stays there; nobody uses it anew. */
    async remove(caller: Principal, id: string, given: MaybeWhy) {
      return transact(db, async (trx) => {
        await loadToChange(trx, caller, id, 'code:delete')
        const at = now()
        const removed = await codes.update(trx, id, { deleted_at: at, updated_at: at })
        const details = { code_id: id, ...rules.why(given) }
        await audit.note(trx, 'code.deleted', { actor_id: caller.user_id, details })
        return showOne(trx, removed)
      })
    },

    async addPubkey(caller: Principal, { code_id, ...given }: rules.GivenPubkey): Promise<string> {
      const pubkey = readPubkey(given.pubkey)
      return transact(db, async (trx) => {
        await listPubkey(trx, await loadToChange(trx, caller, code_id, 'code:write'), pubkey)
        const details = { code_id, pubkey, ...rules.why(given) }
        await audit.note(trx, 'code.pubkey_added', { actor_id: caller.user_id, details })
        return pubkey
      })
    },

    async revokePubkey(caller: Principal, { code_id, ...given }: rules.GivenPubkey) {
      const pubkey = given.pubkey.toLowerCase()
      return transact(db, async (trx) => {
        await loadToChange(trx, caller, code_id, 'code:write')
        if (!(await codes.revokePubkey(trx, code_id, pubkey, now()))) {
          throw new rules.UnknownPubkeyError()
        }
        const details = { code_id, pubkey, ...rules.why(given) }
        await audit.note(trx, 'code.pubkey_revoked', { actor_id: caller.user_id, details })
        return pubkey
      })
    },

    /**
     * Around the transaction in which a code is reserved or activated: whoever was wrong too
     * often waits. Never inside a transaction, which would hold a connection and wait for another.
     */
    async attempt<Result>(user_id: string, work: () => Promise<Result>): Promise<Result> {
      const subject = redemptionSubject(user_id)
      await throttle.takeTry(subject)
      let isWrong = false
      try {
        return await work()
      } catch (error) {
        isWrong = error instanceof rules.InvalidCodeError
        throw error
      } finally {
        // What has happened is not undone by a count that stays one too high.
        if (!isWrong) await throttle.takeBack(subject).catch(() => {})
      }
    },

    /** Takes a use for this order, until it is released or counted, and tells what it takes off. */
    async reserve(
      trx: Transaction,
      wanted: { code: string } | { code_id: string },
      cart: rules.Cart,
    ): Promise<{ code: Code; discounts: rules.Discount[] }> {
      const { order_id, user_id, items } = cart
      const code = await findUsable(trx, wanted)
      if (!rules.isInForce(code, now())) throw new rules.InvalidCodeError()
      if (!rules.isForOrganization(code, cart)) throw new rules.InvalidCodeError()
      const emojis = rules.fittingItems(code, items).length
      const limit = await limitReached(trx, code, { order_id, user_id, emojis })
      if (limit === 'uses') throw new rules.InvalidCodeError()
      if (limit === 'emojis') throw new rules.TooManyEmojisError(code.max_emojis_per_user ?? 0)
      if (emojis === 0) throw new rules.DoesNotFitError()
      const others = await codes.findOnOrder(trx, order_id)
      if (others.some(({ id }) => id === code.id)) throw new rules.AlreadyOnCartError()
      rules.assertCombinable(code, others)
      const use = { code_id: code.id, order_id, user_id, emojis, counted_at: null }
      if (!(await codes.insertUse(trx, { ...use, created_at: now() }))) {
        throw new rules.AlreadyOnCartError()
      }
      return { code, discounts: rules.discountsOf(code, items) }
    },

    /** Those of these codes that an order could be given now, one after the other. */
    async usableNow(
      trx: Transaction,
      code_ids: readonly string[],
      cart: Pick<rules.Cart, 'organization_id'>,
    ): Promise<Code[]> {
      const usable: Code[] = []
      for (const code_id of code_ids) {
        const code = await codes.find(trx, code_id)
        if (!rules.isInForce(code, now()) || !rules.isForOrganization(code, cart)) continue
        if (rules.isCombinable(code, usable)) usable.push(code)
      }
      return usable
    },

    /**
     * For money that came after its uses were released, and still is enough: they count again.
     * Tells `false` when a code is used up, and the rest is to be undone.
     */
    async reserveAgain(
      trx: Transaction,
      order: Omit<Use, 'emojis'>,
      uses: readonly { code_id: string; emojis: number }[],
    ): Promise<boolean> {
      for (const { code_id, emojis } of uses) {
        const code = await codes.findToChange(trx, code_id)
        if (!code || (await limitReached(trx, code, { ...order, emojis }))) return false
        const use = { ...order, code_id, emojis, counted_at: null, created_at: now() }
        await codes.insertUse(trx, use)
      }
      return true
    },

    /** The order was given up, or lapsed: its uses are for others again. */
    release: async (trx: Transaction, order_id: string) =>
      void (await codes.removeReserved(trx, order_id)),

    /** The buyer takes a code off: its use is for others again. Tells `false` if it is not there. */
    releaseOne: codes.removeUse,
    /** The codes of an order, the first used first. */
    ofOrder: codes.findOnOrder,

    /** The codes of these orders, as their buyers know them. */
    async namesOf(order_ids: readonly string[]) {
      if (order_ids.length === 0) return []
      const found = await codes.findNames(db, order_ids)
      return found.map(({ order_id, id, name, redemption_code }) => ({
        order_id,
        code_id: id,
        name: redemption_code ?? name,
      }))
    },

    /** The order is paid: its uses are used up. */
    count: async (trx: Transaction, order_id: string) =>
      void (await codes.countReserved(trx, order_id, now())),

    /** Opens a code for random ids to whoever brings a signature over their own name. */
    async activate(
      trx: Transaction,
      { user_id }: Principal,
      code_id: string,
      given: Signature & { pubkey: string },
    ): Promise<Code> {
      // Locked before anything that refers to it is written: others wait here, and nowhere later.
      const code = await codes.findToChange(trx, code_id)
      if (!rules.isInForce(code, now()) || !rules.isSignedFor(code)) {
        throw new rules.InvalidCodeError()
      }
      const [uses] = code.max_uses === null ? [] : await codes.countUses(trx, [code_id])
      if (uses && uses.all >= (code.max_uses ?? 0)) throw new rules.InvalidCodeError()
      const pubkey = given.pubkey.toLowerCase()
      const listed = await codes.findPubkeys(trx, [code_id])
      if (!listed.some((one) => one.pubkey === pubkey)) throw new rules.InvalidCodeError()
      const user = await accounts.find(user_id, trx)
      if (!isSigned(code, pubkey, user?.alternate_id ?? user_id, given)) {
        throw new rules.InvalidCodeError()
      }
      const nonce = given.nonce.toLowerCase()
      if (!(await codes.takeNonce(trx, { code_id, nonce, user_id, used_at: now() }))) {
        throw new rules.InvalidCodeError()
      }
      await audit.note(trx, 'code.activated', { actor_id: user_id, details: { code_id, pubkey } })
      return code
    },
  }
}
