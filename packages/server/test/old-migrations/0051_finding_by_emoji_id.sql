-- Operators find orders, transfers and audit entries by emoji id.
create index order_items_by_emoji_id on order_items (emoji_id) where emoji_id is not null;
create index transfers_emoji_id on transfers (emoji_id, created_at);
create index audit_entries_emoji_id on audit_entries ((details ->> 'emoji_id'), id)
  where details ->> 'emoji_id' is not null;
create index audit_entries_emoji_ids on audit_entries using gin ((details -> 'emoji_ids'))
  where details -> 'emoji_ids' is not null;

-- The figures of the last days. The index of each figure holds all columns that it reads.
create index ledger_entries_created_at on ledger_entries (created_at) include (kind, amount_in_cents);
create index orders_paid_at on orders (paid_at) where paid_at is not null;
create index orders_refund_open on orders (refund_requested_at)
  where refund_requested_at is not null and refund_answered_at is null;
create index messages_unsent on messages (created_at) include (channel) where status <> 'sent';
