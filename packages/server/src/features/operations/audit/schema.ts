import { type Static, Type } from 'typebox'
import { pageOf, pagingQuery } from '../../../platform/http/paging.ts'
import { Day, Nullable, Timestamp } from '../../../platform/http/schemas.ts'

/** The names of audited events. */
export type AuditEvent =
  | 'account.registered'
  | 'account.changed'
  | 'account.claimed'
  | 'account.disowned'
  | 'account.deactivated'
  | 'account.activated'
  | 'account.deleted'
  | 'account.exported'
  | 'access.revoked'
  | 'email.confirmed'
  | 'email.change_requested'
  | 'email.change_withdrawn'
  | 'email.changed'
  | 'email.taken_back'
  | 'password.set'
  | 'password.reset'
  | 'role.changed'
  | 'features.changed'
  | 'login.password'
  | 'login.link'
  | 'login.application'
  | 'link.requested'
  | 'logout'
  | 'session.began'
  | 'session.ended'
  | 'refresh.reused'
  | 'key.created'
  | 'second_factor.prepared'
  | 'second_factor.enabled'
  | 'second_factor.given'
  | 'second_factor.removed'
  | 'second_factor.recovery_begun'
  | 'second_factor.recovery_cancelled'
  | 'api_key.created'
  | 'api_key.deleted'
  | 'pubkey.added'
  | 'pubkey.proven'
  | 'passkey.added'
  | 'passkey.confirmed'
  | 'passkey.removed'
  | 'login.passkey'
  | 'wallet.added'
  | 'wallet.removed'
  | 'webhook.created'
  | 'webhook.changed'
  | 'webhook.rotated'
  | 'webhook.deleted'
  | 'webhook.disabled'
  | 'webhook.stopped'
  | 'webhook.restored'
  | 'emoji_id.granted'
  | 'emoji_id.released'
  | 'emoji_id.suspended'
  | 'emoji_id.restored'
  | 'emoji_id.reserved'
  | 'emoji_id.unreserved'
  | 'emoji_ids.exported'
  | 'list.exported'
  | 'transfer.requested'
  | 'transfer.confirmed'
  | 'transfer.accepted'
  | 'transfer.forced'
  | 'transfer.code_given'
  | 'transfer.code_sent'
  | 'transfer.closed'
  | 'transfer.deleted'
  | 'token.signed'
  | 'token.minted'
  | 'records.changed'
  | 'records.undone'
  | 'records.change_planned'
  | 'records.change_cancelled'
  | 'delay_lock.changed'
  | 'store.changed'
  | 'store.locked'
  | 'prices.changed'
  | 'order.paid'
  | 'order.cancelled'
  | 'order.receipt_resent'
  | 'order.refund_requested'
  | 'order.refund_declined'
  | 'order.refunded'
  | 'order.misc_refunded'
  | 'order.refund_given'
  | 'order.disputed'
  | 'order.dispute_won'
  | 'order.dispute_lost'
  | 'order.dispute_taken_back'
  | 'order.dispute_left'
  | 'order.cash_taken'
  | 'order.payment_overridden'
  | 'organization.created'
  | 'organization.changed'
  | 'organization.member_invited'
  | 'organization.invitation_withdrawn'
  | 'organization.member_accepted'
  | 'organization.member_changed'
  | 'branding.changed'
  | 'application.created'
  | 'application.changed'
  | 'application.deleted'
  | 'application.secret_made'
  | 'application.secret_deleted'
  | 'application.authorized'
  | 'application.reused'
  | 'application.left'
  | 'code.created'
  | 'code.changed'
  | 'code.deleted'
  | 'code.activated'
  | 'code.pubkey_added'
  | 'code.pubkey_revoked'
  | 'lootbox_type.created'
  | 'lootbox_type.exhausted'
  | 'lootbox.generated'
  | 'lootbox.created'
  | 'lootbox.changed'
  | 'lootbox.deleted'
  | 'lootbox.opened'
  | 'payment.released'
  | 'report.filed'
  | 'report.decided'
  | 'job.retried'
  | 'job.removed'

export const AuditEntry = Type.Object({
  id: Type.String(),
  at: Timestamp,
  event: Type.String(),
  result: Type.String(),
  actor_id: Nullable(Type.String()),
  subject_id: Nullable(Type.String()),
  request_id: Nullable(Type.String()),
  details: Type.Unknown({
    description:
      'Facts of the event. `too_long` is the length of details that a list leaves out; a request with limit=1 has them',
  }),
  actor_email: Nullable(Type.String({ description: 'The current address of the account' })),
  subject_email: Nullable(Type.String({ description: 'The current address of the account' })),
})
export const AuditPage = pageOf(AuditEntry)
export const AuditQuery = Type.Object({
  ...pagingQuery(['id'], { sort: 'id', dir: 'Desc' }).properties,
  event: Type.Optional(Type.String({ maxLength: 100 })),
  actor_id: Type.Optional(Type.String({ format: 'uuid' })),
  subject_id: Type.Optional(Type.String({ format: 'uuid' })),
  person: Type.Optional(
    Type.String({
      maxLength: 254,
      description: 'The actor or the subject: an id or a full email address',
    }),
  ),
  emoji_id: Type.Optional(
    Type.String({ maxLength: 100, description: 'An emoji id in its canonical format' }),
  ),
  from: Type.Optional(Day('The first day, in UTC')),
  to: Type.Optional(Day('The last day, in UTC')),
})
export type AuditQuery = Static<typeof AuditQuery>
