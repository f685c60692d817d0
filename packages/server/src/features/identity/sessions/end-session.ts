import { transact } from '../../../platform/database/database.ts'
import { dayMs } from '../../../platform/time.ts'
import type { Database, Transaction } from '../../../tables.ts'
import type { Principal } from '../../operations/access/access.ts'
import * as sessions from './repository.ts'
import * as rules from './rules.ts'
import type { Deps } from './sessions.ts'

export async function endSession(
  { now, audit }: Deps,
  trx: Transaction,
  user_id: string,
  id: string,
): Promise<boolean> {
  if (!(await sessions.end(trx, user_id, id, now()))) return false
  await audit.writeEntry(trx, 'session.ended', { actor_id: user_id, details: { session: id } })
  return true
}

/** Ends every session of the caller, on every device. */
export async function logOut({ db, accounts, audit }: Deps, { user_id }: Principal): Promise<void> {
  await transact(db, async (trx) => {
    await accounts.endSessions(trx, user_id)
    await audit.writeEntry(trx, 'logout', { actor_id: user_id })
  })
}

export async function endOwnSession(deps: Deps, caller: Principal, id: string): Promise<void> {
  const { db, accounts } = deps
  const isEnded = await transact(db, async (trx) => {
    const user = await accounts.loadCaller(trx, caller)
    return endSession(deps, trx, user.id, id)
  })
  if (!isEnded) throw rules.unknownSession()
}

/** Also ends what would open a session without a new proof, or give the account another mailbox. */
export async function endOtherSessions(
  { db, now, accounts, audit, whenOthersEnded }: Deps,
  caller: Principal,
): Promise<void> {
  const { user_id, session_id } = caller
  await transact(db, async (trx) => {
    await accounts.loadCaller(trx, caller)
    const hasEnded = [
      await sessions.endOthers(trx, user_id, session_id, now()),
      await accounts.voidStartedSignIns(trx, user_id),
      await accounts.withdrawForeignEmailChange(trx, caller),
    ]
    for (const action of whenOthersEnded) hasEnded.push(await action(trx, user_id))
    // Audit entries are permanent: a repeated request must not add one.
    if (!hasEnded.includes(true)) return
    await audit.writeEntry(trx, 'session.ended', { actor_id: user_id, details: { others: true } })
  })
}

export const purgeSessions = (db: Database, at: Date) =>
  sessions.deleteBefore(db, new Date(at.getTime() - dayMs))
