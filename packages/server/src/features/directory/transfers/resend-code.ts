import { transact } from '../../../platform/database/database.ts'
import type { Principal } from '../../operations/access/access.ts'
import { advanceTransfer } from './advance-transfer.ts'
import { auditTransfer } from './audit-transfer.ts'
import { findReceivers } from './find-receivers.ts'
import * as transfers from './repository.ts'
import * as rules from './rules.ts'
import { sendCode } from './send-code.ts'
import type { Deps } from './transfers.ts'

/** Sends a new code to the side that is next, and invalidates the previous code. */
export async function resendCode(deps: Deps, caller: Principal, id: string): Promise<void> {
  const { db, accounts, now } = deps
  await transact(db, async (trx) => {
    const { transfer, side } = rules.assertTurn(caller, await transfers.findToChange(trx, id))
    const user = await accounts.findAccount(caller.user_id, trx)
    if (!user?.email) throw rules.noMail()
    if (side === 'receiver') rules.assertSameMailbox(transfer, user)
    if (side === 'receiver') rules.assertConfirmed(user)
    rules.assertMayResend(transfer, now())
    const isShared = side === 'receiver' && transfer.organization_id !== null
    const users = isShared ? await findReceivers(deps, trx, transfer) : [user]
    const code = await sendCode(deps, trx, transfer, side, users)
    await advanceTransfer(trx, transfer, 'resend_code', code)
    await auditTransfer(deps, trx, 'transfer.code_sent', transfer, { actor_id: user.id })
  })
}
