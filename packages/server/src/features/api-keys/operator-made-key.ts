import type { Transaction } from '../../tables.ts'
import type { Accounts, User } from '../accounts/index.ts'

type MadeKey = { name: string; scopes: readonly string[] }

/** Whoever has the account is told what somebody else can do in their name from now on. */
export const tellOfOperatorMadeKey = (
  accounts: Accounts,
  trx: Transaction,
  owner: User,
  { name, scopes }: MadeKey,
): Promise<void> =>
  accounts.tellToOwner(
    trx,
    owner,
    'An operator made a key for your account',
    `An operator made the API key “${name}” for your account, with these scopes: ${scopes.join(', ')}. You find it among your API keys, and can delete it there.`,
    { told: 'api_key' },
  )
