import { transact } from '../../../platform/database/database.ts'
import type { Database, Transaction } from '../../../tables.ts'
import type { Principal } from '../../operations/access/access.ts'
import { createAudit } from '../../operations/audit/audit.ts'
import * as users from './repository.ts'

/**
 * Only a Super may change a Super. Locks all of them in one order, so that of two Supers who demote
 * each other only one succeeds.
 */
export const lockSupers = (trx: Transaction, { role }: Principal) =>
  role === 'Super' ? users.lockSupers(trx) : []

/** Raises an account to Super by a local command, without a sign-in. */
export const makeSuper = (db: Database, email: string): Promise<'raised' | 'unchanged'> =>
  transact(db, async (trx) => {
    const now = () => new Date()
    const user = await users.findByEmailToChange(trx, email)
    if (!user) throw new Error(`No account has the email address ${email}.`)
    if (user.deactivated_at) throw new Error(`The account of ${email} is deactivated.`)
    if (!user.email_verified_at) throw new Error(`The email address ${email} is not confirmed.`)
    if (user.role === 'Super') return 'unchanged'
    await users.setRole(trx, user.id, 'Super', now())
    await createAudit({ db, now }).writeEntry(trx, 'role.changed', {
      actor_id: null,
      subject_id: user.id,
      details: { from: user.role, to: 'Super', reason: 'Raised by a command on the server' },
    })
    return 'raised'
  })
