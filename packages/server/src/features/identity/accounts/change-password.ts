import { isCommonPassword } from '../../../platform/passwords/common.ts'
import { currentNetwork } from '../../../platform/request-id.ts'
import type { Transaction } from '../../../tables.ts'
import { nameSubjects } from '../throttle/throttle.ts'
import type { Deps } from './accounts.ts'
import type { User } from './repository.ts'
import * as users from './repository.ts'
import * as rules from './rules.ts'

/** Links that give access. A new password voids them. */
export const accessLinks = [
  'magic_link',
  'reset_password',
  'first_password',
  'exchange',
  'change_email',
  'hand_over',
  'gift',
] as const

/** Hashing is slow: call this before locking any row. */
export async function hashAcceptablePassword(
  { passwords }: Deps,
  password: string,
  names: Pick<User, 'email' | 'alternate_id'>,
) {
  rules.assertGoodPassword(password, names, await isCommonPassword(password))
  return passwords.hash(password)
}

/** Wrong passwords count as failed sign-ins. */
export async function assertPassword(
  { passwords, throttle }: Deps,
  user: User,
  password: string | null | undefined,
) {
  if (user.password_hash === null) return
  if (password === null || password === undefined) throw rules.wrongPassword()
  rules.assertHashable(password)
  const [localSubject, globalSubject] = nameSubjects(rules.loginNameOf(user), currentNetwork())
  await passwords.attempt(async (matches) => {
    await throttle.assertNotBlocked(localSubject, globalSubject)
    if (await matches(user.password_hash, password)) return throttle.clearFailures(localSubject)
    await throttle.countFailure(localSubject, globalSubject)
    throw rules.wrongPassword()
  })
}

export async function setPassword(
  { now, throttle, links }: Deps,
  trx: Transaction,
  user: User,
  password_hash: string,
) {
  await users.update(trx, user.id, {
    password_hash,
    password_by_app: false,
    updated_at: now(),
  })
  await users.raiseEpoch(trx, user.id)
  await throttle.clearFailuresOfName(trx, rules.loginNameOf(user))
  await links.voidLinks(trx, user.id, accessLinks)
}
