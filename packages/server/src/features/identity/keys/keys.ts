import { setImmediate as nextTurn } from 'node:timers/promises'
import { proofDomain, proofMessage, pubkeysAtMost } from '@emojid/core'
import { bindUseCases } from '../../../platform/bind.ts'
import {
  createSigner,
  generateKeyPair,
  type Signature,
  verify,
  verifyBare,
} from '../../../platform/crypto/ristretto.ts'
import type { Sealer } from '../../../platform/crypto/seal.ts'
import { transact } from '../../../platform/database/database.ts'
import type { OptionalReasonBody } from '../../../platform/http/api/schemas.ts'
import type { Database, Transaction } from '../../../tables.ts'
import {
  assertMayChange,
  holdCaller,
  type Principal,
  unknownUser,
} from '../../operations/access/access.ts'
import type { Audit } from '../../operations/audit/audit.ts'
import * as keys from './repository.ts'
import * as rules from './rules.ts'

export { isSettled, readPubkey } from './rules.ts'

/** Runs before a key is added: the link in its email removes keys that are newer than itself. */
export type KeyGuard = (trx: Transaction, user_id: string, sentence: string) => Promise<void>

export type Options = { db: Database; sealer: Sealer; audit: Audit; now: () => Date }

type Deps = Options & {
  beforeAdded: KeyGuard[]
}

export type Keys = ReturnType<typeof createKeys>

/** The only place that creates and unseals private keys. No operation returns one. */
export function createKeys(options: Options) {
  const beforeAdded: KeyGuard[] = []
  const deps: Deps = { ...options, beforeAdded }
  return {
    ...bindUseCases(deps, {
      createCustodialKey,
      listKeys,
      describeKey,
      listKeysOf,
      loadKeyOfOrganization,
      generateKey,
      addKey,
      proveKey,
      signText,
      signTexts,
    }),
    beforeAdded: (action: KeyGuard) => void beforeAdded.push(action),
    findKey,
    findKeyOfOrganization,
    /** The keys of a user, the first one first. */
    findKeysOf: keys.findOwn,
    /** Removes keys whose private key is elsewhere. */
    removeForeignKeys: keys.removeForeign,
    findPubkeys,
    isSignedBy,
    isWeaklySignedBy,
  }
}

type Owner = { user_id: string } | { organization_id: string }

async function createCustodialKey(
  { sealer, now }: Deps,
  trx: Transaction,
  owner: Owner,
): Promise<string> {
  const { private_key, pubkey } = generateKeyPair()
  const sealed_private_key = sealer.seal(private_key, rules.sealContext(idOf(owner), pubkey))
  private_key.fill(0)
  const noOwner = { user_id: null, organization_id: null }
  const row = { ...noOwner, ...owner, pubkey, sealed_private_key, proven_at: null }
  await keys.insert(trx, { ...row, created_at: now() })
  return pubkey
}

const idOf = (owner: Owner): string => ('user_id' in owner ? owner.user_id : owner.organization_id)

async function listKeys({ db }: Deps, user_id: string): Promise<string[]> {
  return (await keys.findOfUsers(db, [user_id])).map(({ pubkey }) => pubkey)
}

async function describeKey({ db }: Deps, user_id: string) {
  const own = await keys.findOwn(db, user_id)
  return own.map(({ pubkey, created_at, ...key }) => {
    return { pubkey, state: rules.stateOf(key), created_at }
  })
}

async function listKeysOf(deps: Deps, caller: Principal, user_id: string): Promise<string[]> {
  const mayRead = user_id === caller.user_id || caller.scopes.has('userPubkeys:list')
  if (!mayRead) throw unknownUser()
  if (!(await keys.findUser(deps.db, user_id))) throw unknownUser()
  return listKeys(deps, user_id)
}

/** The first key of an organization; created on first use. */
async function loadKeyOfOrganization(
  deps: Deps,
  trx: Transaction,
  organization_id: string,
): Promise<string> {
  const [first] = await keys.findOfOrganization(trx, organization_id)
  return first?.pubkey ?? createCustodialKey(deps, trx, { organization_id })
}

async function generateKey(deps: Deps, caller: Principal): Promise<string> {
  const { db, audit } = deps
  const { user_id } = caller
  return transact(db, async (trx) => {
    const pubkey = await withKeyLimit(trx, caller, user_id, () =>
      createCustodialKey(deps, trx, { user_id }),
    )
    await announceKey(deps, trx, user_id, rules.addedSentence(pubkey, 'kept_here'))
    await audit.writeEntry(trx, 'pubkey.added', {
      actor_id: user_id,
      details: { pubkey, custodial: true },
    })
    return pubkey
  })
}

/** Locks the user, so that concurrent requests do not exceed the limit of keys. */
async function withKeyLimit<Result>(
  trx: Transaction,
  caller: Principal,
  user_id: string,
  addKey: () => Promise<Result>,
): Promise<Result> {
  const user = await keys.lockUser(trx, user_id)
  if (!user) throw unknownUser()
  await holdCaller(trx, caller)
  assertMayChange(caller, user)
  const result = await addKey()
  const ownKeys = await keys.findOfUsers(trx, [user_id])
  if (ownKeys.length > pubkeysAtMost) throw rules.tooManyPubkeys()
  return result
}

async function announceKey(
  { beforeAdded }: Deps,
  trx: Transaction,
  user_id: string,
  sentence: string,
) {
  for (const notify of beforeAdded) await notify(trx, user_id, sentence)
}

/** Lists a public key whose private key is elsewhere. It owns no id until it is proven. */
async function addKey(
  deps: Deps,
  caller: Principal,
  user_id: string,
  text: string,
  { reason }: OptionalReasonBody = {},
) {
  const { db, audit } = deps
  const pubkey = rules.readPubkey(text)
  return transact(db, async (trx) => {
    const add = async () => {
      if (await keys.find(trx, pubkey)) return false
      await announceKey(deps, trx, user_id, rules.addedSentence(pubkey, 'unproven'))
      return insertForeignKey(deps, trx, user_id, pubkey)
    }
    const isNew = await withKeyLimit(trx, caller, user_id, add)
    const listedKey = isNew ? undefined : await keys.find(trx, pubkey)
    if (listedKey && listedKey.user_id !== user_id) {
      throw rules.isSettled(listedKey) ? rules.provenKey() : rules.listedKey()
    }
    if (isNew) {
      const entry = { actor_id: caller.user_id, subject_id: user_id }
      await audit.writeEntry(trx, 'pubkey.added', { ...entry, details: { pubkey, reason } })
    }
    return pubkey
  })
}

/** Returns false if the key is listed already. */
function insertForeignKey({ now }: Deps, trx: Transaction, user_id: string, pubkey: string) {
  const row = { pubkey, user_id, organization_id: null, sealed_private_key: null }
  return keys.insert(trx, { ...row, proven_at: null, created_at: now() })
}

/** Moves a key to the caller who signs with it, even if another user has listed it. */
async function proveKey(
  deps: Deps,
  caller: Principal,
  text: string,
  proof: Signature,
): Promise<string> {
  const { db, now, audit } = deps
  const { user_id } = caller
  const pubkey = rules.readPubkey(text)
  const signature = {
    nonce: proof.nonce.toLowerCase(),
    signature: proof.signature.toLowerCase(),
  }
  if (!verify(pubkey, proofDomain, proofMessage(pubkey, user_id), signature)) {
    throw rules.wrongProof()
  }
  return transact(db, async (trx) => {
    await withKeyLimit(trx, caller, user_id, async () => {
      await insertForeignKey(deps, trx, user_id, pubkey)
      const listedKey = await keys.findToChange(trx, pubkey)
      const isSettled = !listedKey || rules.isSettled(listedKey)
      if (isSettled && listedKey?.user_id !== user_id) throw rules.provenKey()
      if (isSettled) return
      await announceKey(deps, trx, user_id, rules.addedSentence(pubkey, 'proven'))
      await keys.prove(trx, pubkey, user_id, now())
    })
    await audit.writeEntry(trx, 'pubkey.proven', { actor_id: user_id, details: { pubkey } })
    return pubkey
  })
}

/** Signs with a custodial key; undefined for other keys. */
async function signText(
  deps: Deps,
  from: Database,
  pubkey: string,
  domain: rules.SigningDomain,
  message: string,
) {
  const key = await keys.find(from, pubkey)
  return key && openSigner(deps, key, domain)?.(message)
}

type Key = NonNullable<Awaited<ReturnType<typeof keys.find>>>

function openSigner({ sealer }: Deps, key: Key, domain: rules.SigningDomain) {
  if (!key.sealed_private_key) return undefined
  const owner = key.user_id ?? key.organization_id ?? ''
  const privateKey = sealer.open(key.sealed_private_key, rules.sealContext(owner, key.pubkey))
  try {
    return createSigner(privateKey, domain)
  } finally {
    privateKey.fill(0)
  }
}

/** Signs each message with its custodial key; undefined for other keys. */
async function signTexts(
  deps: Deps,
  trx: Transaction,
  domain: rules.SigningDomain,
  requests: readonly { pubkey: string; message: string }[],
): Promise<(Signature | undefined)[]> {
  const storedKeys = await keys.findAll(trx, [...new Set(requests.map(({ pubkey }) => pubkey))])
  const signers = new Map(storedKeys.map((key) => [key.pubkey, openSigner(deps, key, domain)]))
  const signatures: (Signature | undefined)[] = []
  for (const [place, { pubkey, message }] of requests.entries()) {
    // Signing blocks the event loop, so let other requests run in between.
    if (place % 8 === 7) await nextTurn()
    signatures.push(signers.get(pubkey)?.(message))
  }
  return signatures
}

const findKey = (from: Database, pubkey: string) => keys.find(from, pubkey)

/** The key that transfers to the organization name; null if it has none yet. */
async function findKeyOfOrganization(from: Database, organization_id: string) {
  const [first] = await keys.findOfOrganization(from, organization_id)
  return first?.pubkey ?? null
}

/** Public keys by user, oldest first. */
async function findPubkeys(from: Database, user_ids: readonly string[]) {
  const pubkeys = new Map(user_ids.map((id) => [id, [] as string[]]))
  if (user_ids.length === 0) return pubkeys
  for (const { pubkey, user_id } of await keys.findOfUsers(from, user_ids)) {
    pubkeys.get(user_id ?? '')?.push(pubkey)
  }
  return pubkeys
}

const isSignedBy = (
  pubkey: string,
  domain: rules.SigningDomain,
  message: string,
  signature: Signature,
) => verify(pubkey, domain, message, signature)

/** The weak scheme of shipped clients. Anyone can forge it, so it proves nothing. */
const isWeaklySignedBy = (pubkey: string, message: string, signature: Signature) =>
  verifyBare(pubkey, message, signature)

/** Wraps every private key with the current master key; returns how many. */
export async function rewrapKeys(db: Database, sealer: Sealer): Promise<number> {
  let count = 0
  for (const key of await keys.findSealed(db)) {
    const sealedText = key.sealed_private_key ?? ''
    const place = rules.sealContext(key.user_id ?? key.organization_id ?? '', key.pubkey)
    const rewrapped = sealer.rewrap(sealedText, place)
    if (rewrapped === sealedText) continue
    await keys.reseal(db, key.pubkey, sealedText, rewrapped)
    count++
  }
  return count
}
