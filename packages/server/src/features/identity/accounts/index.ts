export { type Accounts, createAccounts } from './accounts.ts'
export type { Revocation } from './deps.ts'
export {
  assertHashable,
  emptyAccount,
  firstPasswordMs,
  isUnclaimed,
  loginNameOf,
  needsPasswordForEmail,
  readLine,
  readNames,
  readRegistration,
  TakenError,
  unconfirmedEmail,
} from './rules.ts'
export {
  AccountChange,
  activationSource,
  DisplayUser,
  Pubkey,
  Registration,
} from './schema.ts'
export type { User } from './table.ts'
