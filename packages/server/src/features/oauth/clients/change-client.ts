import { transact } from '../../../platform/database/database.ts'
import type { Principal } from '../../operations/access/index.ts'
import { auditClient } from './audit-client.ts'
import type { Deps } from './deps.ts'
import { notifyOwners } from './notify-owners.ts'
import { loadClientToChange, showClient } from './read-clients.ts'
import * as clients from './repository.ts'
import * as rules from './rules.ts'
import type { ClientChange } from './schema.ts'

export async function changeClient(
  deps: Deps,
  caller: Principal,
  id: string,
  change: ClientChange,
) {
  const { db, now } = deps
  rules.assertAddresses(change)
  const { name, redirect_uris, logo } = change
  return transact(db, async (trx) => {
    const before = await loadClientToChange(deps, trx, caller, id)
    const changedClient = await clients.update(trx, id, {
      ...(name === undefined ? {} : { name: name.trim() }),
      ...(redirect_uris === undefined ? {} : { redirect_uris }),
      ...(logo === undefined ? {} : { logo: logo || null }),
      updated_at: now(),
    })
    await auditClient(deps, trx, 'application.changed', caller.user_id, {
      client_id: id,
      ...change,
    })
    if (redirect_uris && !rules.isSameList(before.redirect_uris, redirect_uris)) {
      await notifyOwners(deps, trx, changedClient, { redirect_uris })
    }
    return showClient(trx, changedClient)
  })
}
