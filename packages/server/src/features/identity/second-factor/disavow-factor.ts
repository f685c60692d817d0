import type { Transaction } from '../../../tables.ts'
import type { Provider } from '../../operations/access/access.ts'
import type { Revocation } from '../accounts/accounts.ts'
import { removeFactors } from './remove-factor.ts'
import * as factors from './repository.ts'
import type { Deps } from './second-factor.ts'

/**
 * Cancels setups when access is revoked. If the user disavows a second factor, removes it, even if it
 * was set up again since, and every factor that was added after it.
 */
export async function disavowFactors(
  deps: Deps,
  trx: Transaction,
  user_id: string,
  { notices = [] }: Revocation,
): Promise<void> {
  const { accounts, audit } = deps
  await factors.removeSetupsAndCodes(trx, user_id)
  const disavowed = notices.filter(({ event }) => event === 'second_factor')
  const [oldest] = disavowed
  if (!oldest) return
  const user = await accounts.loadAccountToChange(trx, user_id)
  const removedProviders: Provider[] = []
  for (const provider of user.two_factor_auth) {
    const factor = await factors.find(trx, user_id, provider)
    const isNewer = factor !== undefined && factor.confirmed_at >= oldest.at
    const isNamed = disavowed.some((notice) => notice.provider === provider)
    if (isNamed || isNewer) removedProviders.push(provider)
  }
  if (removedProviders.length === 0) return
  await removeFactors(deps, trx, user, removedProviders)
  // The intruder knows the backup codes that came with the factor.
  await factors.replaceBackupCodes(trx, user_id, [])
  const details = { removed: removedProviders, by: 'notice' }
  await audit.writeEntry(trx, 'second_factor.removed', { actor_id: user_id, details })
}
