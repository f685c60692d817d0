import type { Transaction } from '../../../tables.ts'
import {
  assertMayChange,
  holdCaller,
  type Principal,
  unknownUser,
} from '../../operations/access/index.ts'
import type { Deps } from './deps.ts'
import * as keys from './repository.ts'
import * as rules from './rules.ts'

export type Key = NonNullable<Awaited<ReturnType<typeof keys.find>>>

export type Owner = { user_id: string } | { organization_id: string }

const keysAtMost = 100

export async function announceKey(
  { beforeAdded }: Deps,
  trx: Transaction,
  user_id: string,
  sentence: string,
) {
  for (const notify of beforeAdded) await notify(trx, user_id, sentence)
}

/** Locks the user, so that concurrent requests do not exceed the limit of keys. */
export async function withKeyLimit<Result>(
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
  if (ownKeys.length > keysAtMost) throw rules.tooManyPubkeys()
  return result
}
