import { sha256 } from '../../../platform/crypto/sha256.ts'
import { transact } from '../../../platform/database/database.ts'
import { wideNetworkOf } from '../../../platform/http/network.ts'
import { currentNetwork } from '../../../platform/request-id.ts'
import type { Deps } from './events.ts'
import { countStoredIds, extendWatch, findWatch, insertWatch } from './repository.ts'
import * as rules from './rules.ts'
import type { Watch, WatchRequest } from './schema.ts'

/** Stores a list of ids to watch, or extends a stored one. */
export function watchIds(deps: Deps, { emoji_ids, watch }: WatchRequest): Promise<Watch> {
  if ((emoji_ids === undefined) === (watch === undefined)) throw rules.eitherIdsOrWatch()
  return watch === undefined ? createWatch(deps, emoji_ids ?? []) : renewWatch(deps, watch)
}

/** In polls: it takes a lock of all processes. */
const costOfWatch = 5

async function createWatch(deps: Deps, texts: readonly string[]): Promise<Watch> {
  const { db, now, limits, networkKey } = deps
  const network = currentNetwork()
  limits.polls.spend(network, costOfWatch)
  limits.watchedIds.spend(network, rules.sizeOfWatch(texts.length))
  const emoji_ids = rules.readWatchedIds(texts)
  const watch = rules.newWatchToken()
  const expires_at = rules.watchEnd(now())
  const hashes = rules.networkHashes(networkKey, network)
  const id_count = rules.sizeOfWatch(emoji_ids.length)
  const row = { token_hash: sha256(watch), emoji_ids, id_count, ...hashes, expires_at }
  await deps.newWatches.run({ group: wideNetworkOf(network), name: network }, () =>
    transact(db, async (trx) => {
      const stored = await countStoredIds(trx, hashes, now())
      if (!rules.hasRoomForWatch(stored, id_count)) throw rules.tooManyWatched()
      await insertWatch(trx, row)
    }),
  )
  return { watch, expires_at }
}

async function renewWatch({ db, now, limits }: Deps, watch: string): Promise<Watch> {
  limits.polls.spend(currentNetwork(), 1)
  const expires_at = rules.watchEnd(now())
  if (!(await extendWatch(db, sha256(watch), expires_at, now()))) throw rules.unknownWatch()
  return { watch, expires_at }
}

export async function loadWatchedIds({ db, now }: Deps, watch: string): Promise<string[]> {
  const row = await findWatch(db, sha256(watch), now())
  if (!row) throw rules.unknownWatch()
  return row.emoji_ids
}
