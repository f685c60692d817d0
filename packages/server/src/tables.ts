import type { Kysely, Transaction as KyselyTransaction } from 'kysely'
import type { AbuseReportsTable } from './features/directory/abuse-reports/table.ts'
import type { PriceTablesTable } from './features/directory/catalog/table.ts'
import type { DelayLocksTable, WaitingChangesTable } from './features/directory/delays/table.ts'
import type {
  EmojiIdsTable,
  HoldsTable,
  ReservationsTable,
  ReservedIdsTable,
} from './features/directory/emoji-ids/table.ts'
import type { PicturesTable } from './features/directory/pictures/table.ts'
import type { RecordHistoryTable, RecordSetsTable } from './features/directory/records/table.ts'
import type { LookupCountsTable } from './features/directory/stats/table.ts'
import type { StoreEntriesTable } from './features/directory/store/table.ts'
import type { MintSignaturesTable } from './features/directory/tokens/table.ts'
import type { TransfersTable } from './features/directory/transfers/table.ts'
import type { FeaturesTable, UserFeaturesTable } from './features/directory/users/table.ts'
import type { UsersTable } from './features/identity/accounts/table.ts'
import type { ApiKeysTable } from './features/identity/api-keys/table.ts'
import type { KeysTable } from './features/identity/keys/table.ts'
import type { LinksTable } from './features/identity/links/table.ts'
import type {
  OrganizationInvitationsTable,
  OrganizationMemberChangesTable,
  OrganizationMembersTable,
  OrganizationsTable,
} from './features/identity/organizations/table.ts'
import type {
  PasskeysTable,
  UsedPasskeyChallengesTable,
} from './features/identity/passkeys/table.ts'
import type { SecondFactorRecoveriesTable } from './features/identity/recovery/table.ts'
import type {
  CardFingerprintsTable,
  RemovedMailboxesTable,
  RemovedPeopleTable,
  RetainedPeopleTable,
  VerifiedMailboxesTable,
} from './features/identity/removals/table.ts'
import type {
  BackupCodesTable,
  SecondFactorSetupsTable,
  SecondFactorsTable,
  SmsCodesTable,
  SmsSendingsTable,
} from './features/identity/second-factor/table.ts'
import type { RefreshTokensTable, SessionsTable } from './features/identity/sessions/table.ts'
import type { LoginFailuresTable } from './features/identity/throttle/table.ts'
import type { WalletChallengesTable, WalletsTable } from './features/identity/wallets/table.ts'
import type { LootboxesTable, LootboxTypesTable } from './features/lootboxes/table.ts'
import type { OauthClientsTable, OauthSecretsTable } from './features/oauth/clients/table.ts'
import type {
  OauthCodesTable,
  OauthGrantsTable,
  OauthSubjectsTable,
  OauthTokensTable,
} from './features/oauth/grants/table.ts'
import type { AuditEntriesTable } from './features/operations/audit/table.ts'
import type {
  EventSequenceTable,
  EventsTable,
  EventWatchesTable,
} from './features/operations/events/table.ts'
import type {
  MessagesTable,
  NoticeCountsTable,
  NotificationsTable,
} from './features/operations/notifications/table.ts'
import type { BrandingsTable } from './features/partners/branding/table.ts'
import type {
  WebhookDeliveriesTable,
  WebhookEndpointsTable,
  WebhookProgressTable,
} from './features/partners/webhooks/table.ts'
import type {
  CodeNoncesTable,
  CodePubkeysTable,
  CodesTable,
  CodeUsesTable,
} from './features/shop/codes/table.ts'
import type { InterestsTable } from './features/shop/interests/table.ts'
import type {
  DisputesTable,
  LedgerEntriesTable,
  RefundsTable,
} from './features/shop/ledger/table.ts'
import type { HoldTimesTable, OrderItemsTable, OrdersTable } from './features/shop/orders/table.ts'
import type { PaymentAttemptsTable, PaymentEventsTable } from './features/shop/payments/table.ts'
import type { PaymentCustomersTable } from './features/shop/saved-cards/table.ts'
import type { ReplicaBeatsTable } from './platform/database/replica/table.ts'
import type { DemoSeedsTable } from './platform/demo/table.ts'
import type { IdempotencyKeysTable } from './platform/http/idempotency/table.ts'

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
  hold_times: HoldTimesTable
  orders: OrdersTable
  order_items: OrderItemsTable
  // organizations
  organizations: OrganizationsTable
  organization_members: OrganizationMembersTable
  organization_member_changes: OrganizationMemberChangesTable
  organization_invitations: OrganizationInvitationsTable
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

export type Database = Kysely<Tables>
export type Transaction = KyselyTransaction<Tables>
