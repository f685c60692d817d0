import { setImmediate as others } from 'node:timers/promises'
import {
  createSigner,
  generateKeyPair,
  type Signature,
  verify,
  verifyBare,
} from '../../platform/crypto/ristretto.ts'
import type { Sealer } from '../../platform/crypto/seal.ts'
import { transact } from '../../platform/database/database.ts'
import type { MaybeWhy } from '../../platform/http/schemas.ts'
import type { Database, Transaction } from '../../tables.ts'
import { assertMayChange, type Principal } from '../access/index.ts'
import type { Audit } from '../audit/index.ts'
import * as keys from './repository.ts'
import * as rules from './rules.ts'

export type Keys = ReturnType<typeof createKeys>

type Options = { db: Database; sealer: Sealer; audit: Audit; now: () => Date }
type Key = NonNullable<Awaited<ReturnType<typeof keys.find>>>
/** Something that is done before a key is added, so that it is older than the key. */
type BeforeAdded = (trx: Transaction, user_id: string, sentence: string) => Promise<void>
type Owner = { user_id: string } | { organization_id: string }

const keysAtMost = 100

/** The one place where private keys are made and opened. No operation answers one. */
export function createKeys({ db, sealer, audit, now }: Options) {
  const beforeAdded: BeforeAdded[] = []
  const announce: BeforeAdded = async (trx, user_id, sentence) => {
    for (const tell of beforeAdded) await tell(trx, user_id, sentence)
  }
  const createCustodial = async (trx: Transaction, owner: Owner): Promise<string> => {
    const { private_key, pubkey } = generateKeyPair()
    const sealed_private_key = sealer.seal(private_key, rules.placeOf(idOf(owner), pubkey))
    private_key.fill(0)
    const nobody = { user_id: null, organization_id: null }
    const row = { ...nobody, ...owner, pubkey, sealed_private_key, proven_at: null }
    await keys.insert(trx, { ...row, created_at: now() })
    return pubkey
  }
  /** Gives a user a key, whichever way; no two at once, so that none is one too many. */
  const giveKey = async <Result>(
    trx: Transaction,
    user_id: string,
    give: () => Promise<Result>,
    caller?: Principal,
  ): Promise<Result> => {
    const user = await keys.lockUser(trx, user_id)
    if (!user) throw new rules.UnknownUserError()
    if (caller) assertMayChange(caller, user)
    const given = await give()
    const found = await keys.findOfUsers(trx, [user_id])
    if (found.length > keysAtMost) throw new rules.TooManyKeysError()
    return given
  }
  /** A key whose private half is elsewhere; tells `false` when it is listed already. */
  const insertForeign = (trx: Transaction, user_id: string, pubkey: string) => {
    const row = { pubkey, user_id, organization_id: null, sealed_private_key: null }
    return keys.insert(trx, { ...row, proven_at: null, created_at: now() })
  }

  const openSigner = (key: Key, domain: rules.SigningDomain) => {
    if (!key.sealed_private_key) return undefined
    const owner = key.user_id ?? key.organization_id ?? ''
    const opened = sealer.open(key.sealed_private_key, rules.placeOf(owner, key.pubkey))
    try {
      return createSigner(opened, domain)
    } finally {
      opened.fill(0)
    }
  }

  return {
    createCustodial,
    beforeAdded: (action: BeforeAdded) => void beforeAdded.push(action),
    find: (from: Database | Transaction, pubkey: string) => keys.find(from, pubkey),
    /** Brought by somebody who turned out not to own the account. */
    dropForeign: keys.removeForeign,

    /** Public keys by user, oldest first. */
    async pubkeysOf(from: Database | Transaction, user_ids: readonly string[]) {
      const found = new Map(user_ids.map((id) => [id, [] as string[]]))
      if (user_ids.length === 0) return found
      for (const { pubkey, user_id } of await keys.findOfUsers(from, user_ids)) {
        found.get(user_id ?? '')?.push(pubkey)
      }
      return found
    },

    async list(user_id: string): Promise<string[]> {
      return (await keys.findOfUsers(db, [user_id])).map(({ pubkey }) => pubkey)
    },

    /** The same, and what can be done with each. */
    async describe(user_id: string) {
      const own = await keys.findOwn(db, user_id)
      return own.map(({ pubkey, created_at, ...kept }) => {
        return { pubkey, state: rules.stateOf(kept), created_at }
      })
    },

    /** The keys of a user, for those who may ask for anybody's. */
    async listOf(user_id: string): Promise<string[]> {
      if (!(await keys.findUser(db, user_id))) throw new rules.UnknownUserError()
      return this.list(user_id)
    },

    /** The first key of an organization, made when it is first needed. */
    async ofOrganization(trx: Transaction, organization_id: string): Promise<string> {
      const [first] = await keys.findOfOrganization(trx, organization_id)
      return first?.pubkey ?? createCustodial(trx, { organization_id })
    },

    /** Another custodial key of the caller. */
    async generate({ user_id }: Principal): Promise<string> {
      return transact(db, async (trx) => {
        const pubkey = await giveKey(trx, user_id, () => createCustodial(trx, { user_id }))
        await announce(trx, user_id, rules.addedSentence(pubkey, 'kept_here'))
        await audit.note(trx, 'pubkey.added', {
          actor_id: user_id,
          details: { pubkey, custodial: true },
        })
        return pubkey
      })
    },

    /** Lists a key whose private half is elsewhere. It owns nothing before it is proven. */
    async add(caller: Principal, user_id: string, text: string, { reason }: MaybeWhy = {}) {
      const pubkey = rules.readPubkey(text)
      return transact(db, async (trx) => {
        const give = async () => {
          if (await keys.find(trx, pubkey)) return false
          await announce(trx, user_id, rules.addedSentence(pubkey, 'unproven'))
          return insertForeign(trx, user_id, pubkey)
        }
        const isNew = await giveKey(trx, user_id, give, caller)
        const listed = isNew ? undefined : await keys.find(trx, pubkey)
        if (listed && listed.user_id !== user_id) {
          throw rules.isSettled(listed) ? new rules.KeyProvenError() : new rules.KeyTakenError()
        }
        if (isNew) {
          const noted = { actor_id: caller.user_id, subject_id: user_id }
          await audit.note(trx, 'pubkey.added', { ...noted, details: { pubkey, reason } })
        }
        return pubkey
      })
    },

    /** Whoever signs with a key gets it, also from somebody who only listed it. */
    async prove({ user_id }: Principal, text: string, given: Signature): Promise<string> {
      const pubkey = rules.readPubkey(text)
      const signature = {
        nonce: given.nonce.toLowerCase(),
        signature: given.signature.toLowerCase(),
      }
      if (!verify(pubkey, rules.proofDomain, rules.proofMessage(pubkey, user_id), signature)) {
        throw new rules.WrongProofError()
      }
      return transact(db, async (trx) => {
        await giveKey(trx, user_id, async () => {
          await insertForeign(trx, user_id, pubkey)
          const listed = await keys.findToChange(trx, pubkey)
          const isSettled = !listed || rules.isSettled(listed)
          if (isSettled && listed?.user_id !== user_id) throw new rules.KeyProvenError()
          if (isSettled) return
          await announce(trx, user_id, rules.addedSentence(pubkey, 'proven'))
          await keys.prove(trx, pubkey, user_id, now())
        })
        await audit.note(trx, 'pubkey.proven', { actor_id: user_id, details: { pubkey } })
        return pubkey
      })
    },

    /** Signs with a key that is kept here; nothing for any other. */
    async sign(
      from: Database | Transaction,
      pubkey: string,
      domain: rules.SigningDomain,
      message: string,
    ) {
      const key = await keys.find(from, pubkey)
      return key && openSigner(key, domain)?.(message)
    },

    /** Many messages, each with a key that is kept here; nothing in the place of any other. */
    async signMany(
      trx: Transaction,
      domain: rules.SigningDomain,
      wanted: readonly { pubkey: string; message: string }[],
    ): Promise<(Signature | undefined)[]> {
      const found = await keys.findAll(trx, [...new Set(wanted.map(({ pubkey }) => pubkey))])
      const signers = new Map(found.map((key) => [key.pubkey, openSigner(key, domain)]))
      const made: (Signature | undefined)[] = []
      for (const [place, { pubkey, message }] of wanted.entries()) {
        // It takes a while: whoever else asks is answered in between.
        if (place % 8 === 7) await others()
        made.push(signers.get(pubkey)?.(message))
      }
      return made
    },

    isSignedBy: (pubkey: string, domain: rules.SigningDomain, message: string, given: Signature) =>
      verify(pubkey, domain, message, given),

    /** Whether the weak form holds that shipped clients use; anybody can make it. */
    isBarelySignedBy: (pubkey: string, message: string, given: Signature) =>
      verifyBare(pubkey, message, given),
  }
}

/** Wraps every private key with the current master key. Answers how many it was. */
export async function rewrapKeys(db: Database, sealer: Sealer): Promise<number> {
  let count = 0
  for (const key of await keys.findSealed(db)) {
    const sealed = key.sealed_private_key ?? ''
    const place = rules.placeOf(key.user_id ?? key.organization_id ?? '', key.pubkey)
    const anew = sealer.rewrap(sealed, place)
    if (anew === sealed) continue
    await keys.reseal(db, key.pubkey, sealed, anew)
    count++
  }
  return count
}

const idOf = (owner: Owner): string => ('user_id' in owner ? owner.user_id : owner.organization_id)
