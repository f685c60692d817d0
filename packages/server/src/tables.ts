import type { Kysely, Transaction as KyselyTransaction } from 'kysely'
import type { UsersTable } from './features/accounts/table.ts'
import type { ApiKeysTable } from './features/api-keys/table.ts'
import type { AuditEntriesTable } from './features/audit/table.ts'
import type { PriceTablesTable } from './features/catalog/table.ts'
import type {
  CodeNoncesTable,
  CodePubkeysTable,
  CodesTable,
  CodeUsesTable,
} from './features/codes/table.ts'
import type { DelayLocksTable, WaitingChangesTable } from './features/delays/table.ts'
import type { EmojiIdsTable, HoldsTable, ReservationsTable } from './features/emoji-ids/table.ts'
import type { InterestsTable } from './features/interests/table.ts'
import type { KeysTable } from './features/keys/table.ts'
import type { DisputesTable, LedgerEntriesTable, RefundsTable } from './features/ledger/table.ts'
import type { LinksTable } from './features/links/table.ts'
import type { LootboxTypesTable } from './features/lootbox-types/table.ts'
import type { LootboxesTable } from './features/lootboxes/table.ts'
import type { MessagesTable, NoticeCountsTable } from './features/notifications/table.ts'
import type {
  OauthCodesTable,
  OauthGrantsTable,
  OauthSubjectsTable,
  OauthTokensTable,
} from './features/oauth/table.ts'
import type { OauthClientsTable, OauthSecretsTable } from './features/oauth-clients/table.ts'
import type { HoldTimesTable, OrderItemsTable, OrdersTable } from './features/orders/table.ts'
import type {
  OrganizationMemberChangesTable,
  OrganizationMembersTable,
  OrganizationsTable,
} from './features/organizations/table.ts'
import type { BrandingsTable } from './features/partners/table.ts'
import type { PaymentAttemptsTable, PaymentEventsTable } from './features/payments/table.ts'
import type { PicturesTable } from './features/pictures/table.ts'
import type { RecordHistoryTable, RecordSetsTable } from './features/records/table.ts'
import type { SecondFactorRecoveriesTable } from './features/recovery/table.ts'
import type { PaymentCustomersTable } from './features/saved-cards/table.ts'
import type { RefreshTokensTable, SessionsTable } from './features/sessions/table.ts'
import type { LookupCountsTable } from './features/stats/table.ts'
import type { StoreEntriesTable } from './features/store/table.ts'
import type { LoginFailuresTable } from './features/throttle/table.ts'
import type { MintSignaturesTable } from './features/tokens/table.ts'
import type { TransfersTable } from './features/transfers/table.ts'
import type {
  BackupCodesTable,
  SecondFactorSetupsTable,
  SecondFactorsTable,
  SmsCodesTable,
  SmsSendingsTable,
} from './features/two-factor/table.ts'
import type { FeaturesTable, UserFeaturesTable } from './features/users/table.ts'
import type { WalletsTable } from './features/wallets/table.ts'
import type { ReplicaBeatsTable } from './platform/database/replica/table.ts'
import type { DemoSeedsTable } from './platform/demo/table.ts'
import type { IdempotencyKeysTable } from './platform/http/idempotency/table.ts'

/** Every table of the database, by owner. */
export type Tables = {
  // platform
  demo_seeds: DemoSeedsTable
  idempotency_keys: IdempotencyKeysTable
  replica_beats: ReplicaBeatsTable
  // accounts
  users: UsersTable
  // api-keys
  api_keys: ApiKeysTable
  // audit
  audit_entries: AuditEntriesTable
  // catalog
  price_tables: PriceTablesTable
  // codes
  codes: CodesTable
  code_pubkeys: CodePubkeysTable
  code_uses: CodeUsesTable
  code_nonces: CodeNoncesTable
  // delays
  delay_locks: DelayLocksTable
  waiting_changes: WaitingChangesTable
  // emoji-ids
  emoji_ids: EmojiIdsTable
  holds: HoldsTable
  reservations: ReservationsTable
  // interests
  interests: InterestsTable
  // keys
  keys: KeysTable
  // ledger
  disputes: DisputesTable
  ledger_entries: LedgerEntriesTable
  refunds: RefundsTable
  // links
  links: LinksTable
  // lootbox-types
  lootbox_types: LootboxTypesTable
  // lootboxes
  lootboxes: LootboxesTable
  // notifications
  messages: MessagesTable
  notice_counts: NoticeCountsTable
  // oauth
  oauth_grants: OauthGrantsTable
  oauth_codes: OauthCodesTable
  oauth_subjects: OauthSubjectsTable
  oauth_tokens: OauthTokensTable
  // oauth-clients
  oauth_clients: OauthClientsTable
  oauth_secrets: OauthSecretsTable
  // orders
  hold_times: HoldTimesTable
  orders: OrdersTable
  order_items: OrderItemsTable
  // organizations
  organizations: OrganizationsTable
  organization_members: OrganizationMembersTable
  organization_member_changes: OrganizationMemberChangesTable
  // partners
  brandings: BrandingsTable
  // payments
  payment_attempts: PaymentAttemptsTable
  payment_events: PaymentEventsTable
  // pictures
  pictures: PicturesTable
  // recovery
  second_factor_recoveries: SecondFactorRecoveriesTable
  // records
  record_sets: RecordSetsTable
  record_history: RecordHistoryTable
  // saved-cards
  payment_customers: PaymentCustomersTable
  // sessions
  sessions: SessionsTable
  refresh_tokens: RefreshTokensTable
  // stats
  lookup_counts: LookupCountsTable
  // store
  store_entries: StoreEntriesTable
  // throttle
  login_failures: LoginFailuresTable
  // tokens
  mint_signatures: MintSignaturesTable
  // transfers
  transfers: TransfersTable
  // two-factor
  second_factors: SecondFactorsTable
  second_factor_setups: SecondFactorSetupsTable
  backup_codes: BackupCodesTable
  sms_codes: SmsCodesTable
  sms_sendings: SmsSendingsTable
  // users
  features: FeaturesTable
  user_features: UserFeaturesTable
  // wallets
  wallets: WalletsTable
}

export type Database = Kysely<Tables>
export type Transaction = KyselyTransaction<Tables>
