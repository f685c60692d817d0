import { quote } from '../../../platform/mail/quote.ts'
import type { Transaction } from '../../../tables.ts'
import type { Accounts, User } from '../accounts/accounts.ts'

type OperatorKey = { name: string; scopes: readonly string[] }

/** Emails the owner the name and scopes of a key that an operator created. */
export const notifyOfOperatorKey = (
  accounts: Accounts,
  trx: Transaction,
  owner: User,
  { name, scopes }: OperatorKey,
): Promise<void> =>
  accounts.notifyOwner(
    trx,
    owner,
    'An operator created an API key for your account',
    `An operator created the API key ${quote(name)} for your account, with these scopes: ${scopes.join(', ')}. You can delete it on your API keys page.`,
    { told: 'api_key' },
  )
