import { transact } from '../../../platform/database/database.ts'
import type { Origin } from './check-captcha.ts'
import type { Deps } from './deps.ts'
import * as rules from './rules.ts'

/** Exchanges the code from an emailed link for tokens. */
export async function exchangeCode({ db, accounts, sessions }: Deps, code: string, origin: Origin) {
  return transact(db, async (trx) => {
    const followed = await accounts.followLink(trx, 'exchange', code)
    if (!followed) throw rules.expiredCode()
    const { link, user } = followed
    const { linked_at, claimed_epoch } = link.data
    return sessions.openSession(trx, user.id, {
      ...origin,
      ...(linked_at ? { linked_at: new Date(linked_at) } : {}),
      ...(claimed_epoch === undefined ? {} : { claimed_epoch }),
    })
  })
}
