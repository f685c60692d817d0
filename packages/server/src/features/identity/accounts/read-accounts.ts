import { isUuid } from '../../../platform/uuid.ts'
import type { Database, Transaction } from '../../../tables.ts'
import { holdCaller, type Principal, unknownUser } from '../../operations/access/access.ts'
import { joinMailboxes } from '../links/links.ts'
import type { Deps } from './accounts.ts'
import type { User } from './repository.ts'
import * as users from './repository.ts'
import * as rules from './rules.ts'

export async function showAccounts(
  { db, keys, now, freeCeiling }: Deps,
  accounts: readonly User[],
  from: Database = db,
) {
  const ids = accounts.map(({ id }) => id)
  const pubkeys = await keys.findPubkeys(from, ids)
  return accounts.map((user) =>
    rules.showUser(user, pubkeys.get(user.id) ?? [], now(), freeCeiling),
  )
}

/** In no particular order. */
export async function showAccountsOf(
  { db, now, freeCeiling }: Deps,
  ids: readonly string[],
  from: Database = db,
) {
  const rows = ids.length === 0 ? [] : await users.findWithPubkeys(from, ids)
  return rows.map(({ pubkeys, ...user }) => rules.showUser(user, pubkeys, now(), freeCeiling))
}

export async function showAccount(deps: Deps, user: User, from: Database = deps.db) {
  const [view] = await showAccounts(deps, [user], from)
  return view as NonNullable<typeof view>
}

export async function loadAccount({ db }: Deps, id: string, from: Database = db): Promise<User> {
  const user = await users.find(from, id)
  if (!user) throw unknownUser()
  return user
}

export async function loadAccountToChange(trx: Transaction, id: string): Promise<User> {
  const user = await users.findToChange(trx, id)
  if (!user) throw unknownUser()
  return user
}

/** Locks the caller's account. Refuses a caller whose access was revoked meanwhile. */
export async function loadCaller(trx: Transaction, caller: Principal): Promise<User> {
  const user = await users.findToChange(trx, caller.user_id)
  await holdCaller(trx, caller)
  if (!user) throw unknownUser()
  return user
}

export const findByEmail = ({ db }: Deps, email: string, from: Database = db) =>
  users.findByEmail(from, email)

export const findByAlternateId = ({ db }: Deps, id: string) => users.findByAlternateId(db, id)

export const findAccount = ({ db }: Deps, id: string, from: Database = db) => users.find(from, id)

/** Whether a text is the id of an account: as a name of another account it would stand for that one. */
export const isAccountId = async (
  { db }: Deps,
  text: string,
  from: Database = db,
): Promise<boolean> => isUuid(text) && (await users.find(from, text)) !== undefined

/** With their former mailboxes, for notices. */
export async function findAccounts({ now }: Deps, from: Database, ids: readonly string[]) {
  const rows = ids.length === 0 ? [] : await users.findAll(from, ids, now())
  return rows.map((user) => ({ ...user, former: joinMailboxes(user.former) }))
}

export const findOperators = (from: Database) => users.findOperators(from)
