-- Which order an id was bought with, alone or in a box: a dispute names a payment, and freezes them.
-- No reference: whoever opens a box has locked it, and must not wait for the order.
alter table emoji_ids add column order_id uuid;
create index emoji_ids_order on emoji_ids (order_id) where order_id is not null;
update emoji_ids set order_id = orders.id
from order_items item join orders on orders.id = item.order_id
where item.emoji_id = emoji_ids.emoji_id and orders.status = 'Paid' and item.refunded_quantity = 0
  -- One that was given back and got anew was not bought with the old order.
  and emoji_ids.bought_at between orders.paid_at - interval '1 minute' and orders.paid_at;

-- Since when the payment for it is disputed: until that ends it stays where it is.
alter table emoji_ids add column frozen_at timestamptz;
alter table lootboxes add column frozen_at timestamptz;

-- Payments that the buyer's bank took back, or asks about.
create table disputes (
  id uuid primary key default gen_random_uuid(),
  reference text not null unique,
  payment_id bigint not null references ledger_entries (id),
  order_id uuid not null references orders (id),
  amount_in_cents bigint not null check (amount_in_cents >= 0),
  reason text not null,
  status text not null check (status in ('open', 'won', 'lost')),
  -- What the bank kept of it beyond refunds that were planned.
  taken_in_cents bigint not null default 0,
  opened_at timestamptz not null,
  answer_until timestamptz,
  closed_at timestamptz,
  -- Something of the order could not be taken back by itself: an operator decides.
  awaits_decision boolean not null default false,
  decision text check (decision in ('taken_back', 'left')),
  decision_reason text,
  decided_at timestamptz,
  decided_by uuid references users (id),
  created_at timestamptz not null
);
create index disputes_order on disputes (order_id);
create index disputes_payment on disputes (payment_id);
create index disputes_created_at on disputes (created_at, id);

-- What a bank took for good is in the ledger, too.
alter table ledger_entries drop constraint ledger_entries_kind_check;
alter table ledger_entries add constraint ledger_entries_kind_check check (
  kind in ('payment', 'cash', 'override', 'write_off', 'refund', 'misc_refund', 'dispute'));
alter table ledger_entries drop constraint ledger_entries_check;
alter table ledger_entries add constraint ledger_entries_check check (
  case when kind in ('refund', 'misc_refund', 'dispute') then amount_in_cents < 0 else amount_in_cents > 0 end);
