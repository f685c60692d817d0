import type { Kysely, Transaction as KyselyTransaction } from 'kysely'
import type { AbuseReportsTable } from './features/directory/abuse-reports/repository.ts'
import type { PriceTablesTable } from './features/directory/catalog/repository.ts'
import type {
  DelayLocksTable,
  WaitingChangesTable,
} from './features/directory/delays/repository.ts'
import type {
  EmojiIdsTable,
  HoldsTable,
  ReservationsTable,
  ReservedIdsTable,
} from './features/directory/emoji-ids/repository.ts'
import type { PicturesTable } from './features/directory/pictures/repository.ts'
import type {
  RecordHistoryTable,
  RecordSetsTable,
} from './features/directory/records/repository.ts'
import type { LookupCountsTable } from './features/directory/stats/repository.ts'
import type { StoreEntriesTable } from './features/directory/store/repository.ts'
import type { MintSignaturesTable } from './features/directory/tokens/repository.ts'
import type { TransfersTable } from './features/directory/transfers/repository.ts'
import type { UsersTable } from './features/identity/accounts/repository.ts'
import type { ApiKeysTable } from './features/identity/api-keys/repository.ts'
import type { KeysTable } from './features/identity/keys/repository.ts'
import type { LinksTable } from './features/identity/links/repository.ts'
import type {
  OrganizationInvitationsTable,
  OrganizationMemberChangesTable,
  OrganizationMembersTable,
  OrganizationsTable,
} from './features/identity/organizations/repository.ts'
import type {
  PasskeysTable,
  UsedPasskeyChallengesTable,
} from './features/identity/passkeys/repository.ts'
import type { SecondFactorRecoveriesTable } from './features/identity/recovery/repository.ts'
import type {
  CardFingerprintsTable,
  RemovedMailboxesTable,
  RemovedPeopleTable,
  RetainedPeopleTable,
  VerifiedMailboxesTable,
} from './features/identity/removals/repository.ts'
import type {
  BackupCodesTable,
  SecondFactorSetupsTable,
  SecondFactorsTable,
  SmsCodesTable,
  SmsSendingsTable,
} from './features/identity/second-factor/repository.ts'
import type { RefreshTokensTable, SessionsTable } from './features/identity/sessions/repository.ts'
import type { LoginFailuresTable } from './features/identity/throttle/repository.ts'
import type { WalletChallengesTable, WalletsTable } from './features/identity/wallets/repository.ts'
import type { LootboxesTable, LootboxTypesTable } from './features/lootboxes/repository.ts'
import type { OauthClientsTable, OauthSecretsTable } from './features/oauth/clients/repository.ts'
import type {
  OauthCodesTable,
  OauthGrantsTable,
  OauthSubjectsTable,
  OauthTokensTable,
} from './features/oauth/grants/repository.ts'
import type { AuditEntriesTable } from './features/operations/audit/repository.ts'
import type {
  EventSequenceTable,
  EventsTable,
  EventWatchesTable,
} from './features/operations/events/repository.ts'
import type {
  MessagesTable,
  NoticeCountsTable,
  NotificationsTable,
} from './features/operations/notifications/repository.ts'
import type { BrandingsTable } from './features/partners/branding/repository.ts'
import type {
  WebhookDeliveriesTable,
  WebhookEndpointsTable,
  WebhookProgressTable,
} from './features/partners/webhooks/repository.ts'
import type { FeaturesTable, UserFeaturesTable } from './features/people/users/repository.ts'
import type {
  CodeNoncesTable,
  CodePubkeysTable,
  CodesTable,
  CodeUsesTable,
} from './features/shop/codes/repository.ts'
import type { InterestsTable } from './features/shop/interests/repository.ts'
import type {
  DisputesTable,
  LedgerEntriesTable,
  RefundsTable,
} from './features/shop/ledger/repository.ts'
import type { OrderItemsTable, OrdersTable } from './features/shop/orders/repository.ts'
import type {
  HoldTimesTable,
  PaymentAttemptsTable,
  PaymentEventsTable,
} from './features/shop/purchases/repository.ts'
import type { PaymentCustomersTable } from './features/shop/saved-cards/repository.ts'
import type { ReplicaBeatsTable } from './platform/database/replica/beats.ts'
import type { DemoSeedsTable } from './platform/demo/repository.ts'
import type { IdempotencyKeysTable } from './platform/http/api/idempotency/repository.ts'

/** Every table of the database, by owner. */
export type Tables = {
  // platform
  demo_seeds: DemoSeedsTable
  idempotency_keys: IdempotencyKeysTable
  replica_beats: ReplicaBeatsTable
  // abuse-reports
  abuse_reports: AbuseReportsTable
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
  reserved_ids: ReservedIdsTable
  // events
  events: EventsTable
  event_sequence: EventSequenceTable
  event_watches: EventWatchesTable
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
  // removals
  removed_people: RemovedPeopleTable
  removed_mailboxes: RemovedMailboxesTable
  retained_people: RetainedPeopleTable
  verified_mailboxes: VerifiedMailboxesTable
  card_fingerprints: CardFingerprintsTable
  // lootbox-types
  lootbox_types: LootboxTypesTable
  // lootboxes
  lootboxes: LootboxesTable
  // notifications
  messages: MessagesTable
  notice_counts: NoticeCountsTable
  notifications: NotificationsTable
  // oauth
  oauth_grants: OauthGrantsTable
  oauth_codes: OauthCodesTable
  oauth_subjects: OauthSubjectsTable
  oauth_tokens: OauthTokensTable
  // oauth-clients
  oauth_clients: OauthClientsTable
  oauth_secrets: OauthSecretsTable
  // orders
  orders: OrdersTable
  order_items: OrderItemsTable
  // organizations
  organizations: OrganizationsTable
  organization_members: OrganizationMembersTable
  organization_member_changes: OrganizationMemberChangesTable
  organization_invitations: OrganizationInvitationsTable
  // partners
  brandings: BrandingsTable
  // pictures
  pictures: PicturesTable
  // purchases
  hold_times: HoldTimesTable
  payment_attempts: PaymentAttemptsTable
  payment_events: PaymentEventsTable
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
  // second-factor
  second_factors: SecondFactorsTable
  second_factor_setups: SecondFactorSetupsTable
  backup_codes: BackupCodesTable
  sms_codes: SmsCodesTable
  sms_sendings: SmsSendingsTable
  // users
  features: FeaturesTable
  user_features: UserFeaturesTable
  // passkeys
  passkeys: PasskeysTable
  used_passkey_challenges: UsedPasskeyChallengesTable
  // wallets
  wallets: WalletsTable
  wallet_challenges: WalletChallengesTable
  // webhooks
  webhook_endpoints: WebhookEndpointsTable
  webhook_deliveries: WebhookDeliveriesTable
  webhook_progress: WebhookProgressTable
}

/** A transaction is one too: what takes a database also runs within a transaction. */
export type Database = Kysely<Tables>
export type Transaction = KyselyTransaction<Tables>
