/**
 * The client of the Emoji Id Directory for wallets. Other entries: `@emojid/sdk/lookup` (lookups
 * only, small), `@emojid/sdk/verify` (owners' signatures) and `@emojid/sdk/address-book`.
 */
export { type Client, type ClientOptions, createClient, type LoginState } from './client.ts'
export type { DirectoryRecord, Proof } from './directory/answers.ts'
export type {
  Directory,
  Lookup,
  LookupOptions,
  LookupOutcome,
  SearchResult,
  Verify,
} from './directory/types.ts'
export {
  EmojidError,
  InvalidIdError,
  InvalidRequestError,
  NetworkError,
  NoAddressError,
  ProofError,
  RefusedError,
  UnexpectedAnswerError,
  UnregisteredError,
  WebhookError,
} from './errors.ts'
export { memoryTokens, type TokenStore, type Tokens } from './http/session.ts'
export { parseId, parseTypedId } from './ids.ts'
export type { Currency, Payment, PaymentWish } from './payment.ts'
export type { Api, CallOptions } from './resources.ts'
export type { Change, Watch, WatchHandle, WatchOptions } from './watch/types.ts'
export { verifyWebhook, type WebhookEvent } from './webhook.ts'
