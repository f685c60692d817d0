import { quote } from '../../../platform/mail/quote.ts'
import type { Transaction } from '../../../tables.ts'
import type { Accounts, User } from '../accounts/index.ts'

type MadeKey = { name: string; scopes: readonly string[] }

/** Tells the account's owner which scopes the operator's key has. */
export const tellOfOperatorMadeKey = (
  accounts: Accounts,
  trx: Transaction,
  owner: User,
  { name, scopes }: MadeKey,
): Promise<void> =>
  accounts.notifyOwner(
    trx,
    owner,
    'An operator made a key for your account',
    `An operator made the API key ${quote(name)} for your account, with these scopes: ${scopes.join(', ')}. You find it among your API keys, and can delete it there.`,
    { told: 'api_key' },
  )
