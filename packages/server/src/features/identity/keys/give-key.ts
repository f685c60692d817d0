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
  for (const tell of beforeAdded) await tell(trx, user_id, sentence)
}

/** Locks the user while a key is given, so that concurrent requests do not exceed the limit. */
export async function giveKey<Result>(
  trx: Transaction,
  caller: Principal,
  user_id: string,
  give: () => Promise<Result>,
): Promise<Result> {
  const user = await keys.lockUser(trx, user_id)
  if (!user) throw unknownUser()
  await holdCaller(trx, caller)
  assertMayChange(caller, user)
  const given = await give()
  const found = await keys.findOfUsers(trx, [user_id])
  if (found.length > keysAtMost) throw rules.tooManyKeys()
  return given
}
