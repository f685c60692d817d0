export { type Accounts, createAccounts } from './accounts.ts'
export type { Revocation } from './deps.ts'
export {
  assertHashable,
  loginNameOf,
  nobody,
  plain,
  readNames,
  readRegistration,
  TakenError,
  unknownUser,
} from './rules.ts'
export { AccountChange, DisplayUser, Name, Pubkey, Registration } from './schema.ts'
export type { User } from './table.ts'
