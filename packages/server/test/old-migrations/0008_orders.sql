create index holds_order on holds (order_id);
alter table emoji_ids add column bought_at timestamptz;
create index emoji_ids_bought_at on emoji_ids (bought_at desc) where bought_at is not null;
drop index emoji_ids_created_at;

-- Ids that nobody can buy for now, though nobody has them: resting after a refund, or in a box.
create table reservations (
  emoji_id text collate "C" primary key,
  reason text not null check (reason in ('cooling', 'lootbox')),
  lootbox_id uuid,
  until timestamptz
);

alter table organizations add column client_fee_percent integer not null default 0
  check (client_fee_percent between 0 and 100);

-- Carts and what becomes of them.
create table orders (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id),
  status text not null check (status in ('Draft', 'PendingPayment', 'Paid', 'Cancelled')),
  is_current boolean not null,
  -- Raised by every checkout: money for an earlier one comes late.
  round integer not null default 0,
  method text,
  organization_id uuid references organizations (id),
  pubkey text,
  tracking_data json,
  -- Until when its ids are held; the second is when that was to end before any money was seen.
  expires_at timestamptz,
  held_until timestamptz,
  paid_at timestamptz,
  refund_requested_at timestamptz,
  refund_request text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check (not is_current or status in ('Draft', 'PendingPayment')),
  check ((status = 'Paid') = (paid_at is not null)),
  check (status <> 'PendingPayment' or expires_at is not null)
);
create unique index orders_current on orders (user_id) where is_current;
create index orders_user on orders (user_id, created_at);
create index orders_created_at on orders (created_at);
create index orders_pending on orders (expires_at) where status = 'PendingPayment';

create table order_items (
  id uuid primary key default gen_random_uuid(),
  position integer generated always as identity,
  order_id uuid not null references orders (id) on delete cascade,
  item_type text not null check (item_type in ('Discount', 'LootBox', 'EmojiId')),
  emoji_id text collate "C",
  -- As the buyer typed it, with its tones.
  display_format text,
  parent_id uuid references order_items (id) on delete cascade,
  code_id uuid,
  quantity integer not null default 1 check (quantity = 1),
  refunded_quantity integer not null default 0 check (refunded_quantity between 0 and quantity),
  unit_price_in_cents integer not null,
  client_fee_in_cents integer not null default 0 check (client_fee_in_cents >= 0),
  company_fee_in_cents integer not null default 0 check (company_fee_in_cents >= 0),
  rhythm_score integer,
  marked_invalid_at timestamptz,
  marked_invalid_at_reason text check (marked_invalid_at_reason in ('Taken', 'PendingPurchase')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check ((item_type = 'EmojiId') = (emoji_id is not null)),
  check (case item_type when 'Discount' then unit_price_in_cents <= 0 else unit_price_in_cents >= 0 end),
  check ((marked_invalid_at is null) = (marked_invalid_at_reason is null))
);
create index order_items_order on order_items (order_id);
create index order_items_parent on order_items (parent_id) where parent_id is not null;
create unique index order_items_emoji_id on order_items (order_id, emoji_id) where emoji_id is not null;
create unique index order_items_discount on order_items (order_id, parent_id, code_id) nulls not distinct
  where item_type = 'Discount';

-- One for every object that a provider makes for an order, with what it was meant for.
create table payment_attempts (
  id uuid primary key default gen_random_uuid(),
  order_id uuid not null references orders (id),
  user_id uuid not null references users (id),
  round integer not null,
  method text not null,
  provider text not null check (provider in ('card', 'crypto')),
  -- The provider's name for it, once it is made.
  reference text,
  amount_in_cents bigint not null check (amount_in_cents > 0),
  snapshot json not null,
  success_url text,
  cancel_url text,
  -- What the buyer needs to pay, until the attempt is closed.
  sealed text,
  status text not null check (status in ('open', 'closed')),
  -- The order made for money that came late.
  late_order_id uuid references orders (id),
  -- When money for it was first seen.
  seen_at timestamptz,
  check_at timestamptz,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  unique (provider, reference)
);
create index payment_attempts_order on payment_attempts (order_id);
create unique index payment_attempts_open on payment_attempts (order_id) where status = 'open';
create index payment_attempts_check_at on payment_attempts (check_at) where check_at is not null;

-- Every cent that came or is owed back; sums are made from this alone.
create table ledger_entries (
  id bigint generated always as identity primary key,
  order_id uuid not null references orders (id),
  attempt_id uuid references payment_attempts (id),
  kind text not null check (kind in ('payment', 'cash', 'override', 'write_off', 'refund', 'misc_refund')),
  amount_in_cents bigint not null,
  provider text not null,
  reference text not null,
  reason text,
  actor_id uuid,
  created_at timestamptz not null,
  unique (provider, reference),
  check (case when kind in ('refund', 'misc_refund') then amount_in_cents < 0 else amount_in_cents > 0 end)
);
create index ledger_entries_order on ledger_entries (order_id);

create function ledger_is_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger is only added to';
end $$;
create trigger ledger_entries_append_only before update or delete on ledger_entries
  for each row execute function ledger_is_append_only();

-- Money on its way back.
create table refunds (
  id uuid primary key default gen_random_uuid(),
  order_id uuid not null references orders (id),
  payment_id bigint not null references ledger_entries (id),
  amount_in_cents bigint not null check (amount_in_cents > 0),
  kind text not null check (kind in ('refund', 'misc_refund')),
  status text not null check (status in ('queued', 'done', 'by_hand')),
  reference text,
  reason text not null,
  actor_id uuid,
  created_at timestamptz not null,
  done_at timestamptz
);
create index refunds_order on refunds (order_id);

-- What providers told us, each thing once.
create table payment_events (
  provider text not null,
  event_id text not null,
  attempt_id uuid,
  created_at timestamptz not null,
  primary key (provider, event_id)
);
create index payment_events_created_at on payment_events (created_at);

-- Who buyers are to the card provider.
create table payment_customers (
  user_id uuid primary key references users (id),
  customer text not null unique
);
