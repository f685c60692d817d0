import { randomInt } from 'node:crypto'
import { ALPHABET_VERSION } from '@emojid/core'
import type { Person } from './people.ts'
import type { TestService } from './service.ts'

type Caller = Pick<Person, 'get' | 'post' | 'patch'>
export type StoredRecord = { tag: string; data: string; hash: string }
export type Proof = {
  pubkey: string | null
  version: number
  merkle_root: string
  domain: string
  message: string
  signature: { signer: string; nonce: string; signature: string } | null
  records: (StoredRecord & { proof: { side: 'left' | 'right'; hash: string }[] })[]
}

const emojis = [...'🦀🐙🍕👑🔥🐍🌴🎸🚀💎']
/** Ids of earlier tests: the files of a worker share services. */
const shared = globalThis as { usedTestIds?: Set<string> }
shared.usedTestIds ??= new Set()
const usedIds = shared.usedTestIds

/** An id without an owner, different from all others of this worker. */
export function newId(): string {
  const id = Array.from({ length: 6 }, () => emojis[randomInt(emojis.length)]).join('')
  if (usedIds.has(id)) return newId()
  usedIds.add(id)
  return id
}

export const at = (id: string, rest = ''): string =>
  `/api/emoji_id/${encodeURIComponent(id)}${rest}`

/** An id of a user, an organization or a key, granted by an administrator. */
export async function grant(admin: Caller, owner: object, emoji_id = newId()): Promise<string> {
  const answer = await admin.post('/api/admin/emoji_ids', { emoji_id, ...owner })
  if (answer.status !== 200) throw new Error(`Could not grant ${emoji_id}: ${answer.body}`)
  return emoji_id
}

export async function findPubkey(db: TestService['db'], user_id: string): Promise<string> {
  const { pubkey } = await db
    .selectFrom('keys')
    .select('pubkey')
    .where('user_id', '=', user_id)
    .executeTakeFirstOrThrow()
  return pubkey
}

/** An id of a user as a row, without event and audit entry. Costs a fifth of a grant. */
export async function insertOwnedId(
  { db }: Pick<TestService, 'db'>,
  user_id: string,
  emoji_id = newId(),
): Promise<string> {
  const pubkey = await findPubkey(db, user_id)
  await db
    .insertInto('emoji_ids')
    .values({
      emoji_id,
      display_format: emoji_id,
      generation: ALPHABET_VERSION,
      token_id: null,
      pubkey,
      blocked_until: null,
    })
    .execute()
  return emoji_id
}

/** The public records of an id. */
export const recordsOf = async (service: Pick<Person, 'get'>, id: string) =>
  (await service.get(at(id))).json<{ result: StoredRecord[] }>().result

export const proofOf = async (service: Pick<Person, 'get'>, id: string) =>
  (await service.get(at(id, '/proof'))).json<Proof>()
