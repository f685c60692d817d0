import { transact } from '../../../platform/database/database.ts'
import { isUuid } from '../../../platform/uuid.ts'
import type { Transaction } from '../../../tables.ts'
import type { Principal } from '../../operations/access/index.ts'
import type { Deps } from './deps.ts'
import { showKey } from './list-keys.ts'
import * as keys from './repository.ts'
import * as rules from './rules.ts'

export async function removeKey({ db, now, audit }: Deps, caller: Principal, id: string) {
  if (!isUuid(id)) throw rules.unknownKey()
  return transact(db, async (trx) => {
    const removedKey = await keys.remove(trx, caller.user_id, id, now())
    if (!removedKey) throw rules.unknownKey()
    await audit.writeEntry(trx, 'api_key.deleted', {
      actor_id: caller.user_id,
      details: { key: id },
    })
    return showKey(removedKey)
  })
}

export async function removeKeysOf(
  { now }: Deps,
  trx: Transaction,
  user_id: string,
): Promise<void> {
  await keys.removeAll(trx, user_id, now())
}
