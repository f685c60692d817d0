-- Carts, and the orders that they become.
create table orders (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id),
  status text not null check (status in ('Draft', 'PendingPayment', 'Paid', 'Cancelled')),
  is_current boolean not null,
  -- Every checkout raises it: money for an earlier one comes late.
  round integer not null default 0,
  method text,
  organization_id uuid references organizations (id),
  pubkey text,
  tracking_data json,
  -- The end of the hold of its ids, and the end that was planned before any money was seen.
  expires_at timestamptz,
  held_until timestamptz,
  paid_at timestamptz,
  refund_requested_at timestamptz,
  refund_request text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- When an operator answered the request for a refund, and why they declined it.
  refund_answered_at timestamptz,
  refund_declined text,
  -- The cart has items. Every buyer who opens the cart has an order: operators list and count orders
  -- by an index without the empty ones, instead of reading the items.
  is_filled boolean not null default false,
  check (not is_current or status in ('Draft', 'PendingPayment')),
  check ((status = 'Paid') = (paid_at is not null)),
  check (status <> 'PendingPayment' or expires_at is not null),
  check (refund_declined is null or refund_answered_at is not null)
);
create unique index orders_current on orders (user_id) where is_current;
create index orders_user on orders (user_id, created_at);
create index orders_created_at on orders (created_at);
create index orders_pending on orders (expires_at) where status = 'PendingPayment';
create index orders_number on orders (right(id::text, 8));
create index orders_status on orders (status, created_at, id);
create index orders_filled on orders (created_at, id) where status <> 'Draft' or is_filled;
create index orders_organization on orders (organization_id, created_at, id)
  where organization_id is not null;
create index orders_paid_at on orders (paid_at) where paid_at is not null;
create index orders_refund_requested on orders (created_at, id) where refund_requested_at is not null;
create index orders_refund_open on orders (refund_requested_at)
  where refund_requested_at is not null and refund_answered_at is null;

create table order_items (
  id uuid primary key default gen_random_uuid(),
  position integer generated always as identity,
  order_id uuid not null references orders (id) on delete cascade,
  item_type text not null check (item_type in ('Discount', 'LootBox', 'EmojiId')),
  emoji_id text collate "C",
  -- As the buyer typed it, with its skin tones.
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
  lootbox_id uuid,
  -- The part of a discount that reduces the partner's fee on its item: all of it if the code is
  -- limited to the fee, else the share that the fee has in the price.
  client_fee_cut_in_cents integer not null default 0 check (client_fee_cut_in_cents >= 0),
  -- The item has the fee of the order's partner: not if it was in the cart before the partner.
  bears_client_fee boolean not null default true,
  check ((item_type = 'EmojiId') = (emoji_id is not null)),
  check (case item_type when 'Discount' then unit_price_in_cents <= 0 else unit_price_in_cents >= 0 end),
  check ((marked_invalid_at is null) = (marked_invalid_at_reason is null)),
  check ((item_type = 'LootBox') = (lootbox_id is not null))
);
create index order_items_order on order_items (order_id);
create index order_items_parent on order_items (parent_id) where parent_id is not null;
create unique index order_items_emoji_id on order_items (order_id, emoji_id) where emoji_id is not null;
create unique index order_items_lootbox_id on order_items (order_id, lootbox_id)
  where lootbox_id is not null;
create unique index order_items_discount on order_items (order_id, parent_id, code_id) nulls not distinct
  where item_type = 'Discount';
-- Operators find orders by emoji id.
create index order_items_by_emoji_id on order_items (emoji_id) where emoji_id is not null;

-- How long an account held an id or a lootbox without paying for it. Rows outlive the cart and its
-- items: emptying or deleting a cart does not give the time back.
create table hold_times (
  id bigint generated always as identity primary key,
  user_id uuid not null references users (id),
  held text collate "C" not null,
  order_id uuid not null,
  began_at timestamptz not null,
  ended_at timestamptz not null
);
create index hold_times_user on hold_times (user_id, held);
create index hold_times_order on hold_times (order_id);
create index hold_times_ended_at on hold_times (ended_at);

-- Codes for a discount or a random id.
create table codes (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  code_type text not null check (code_type in ('Discount', 'RandomYat')),
  -- A buyer types the code, or a listed key signs.
  activator text not null check (activator in ('RedemptionCode', 'SecretKey')),
  discount_as_percentage integer check (discount_as_percentage between 1 and 100),
  discount_in_cents integer check (discount_in_cents > 0),
  start_date timestamptz,
  end_date timestamptz,
  max_uses integer check (max_uses > 0),
  max_emojis_per_user integer check (max_emojis_per_user > 0),
  -- The ids to which the code applies; null: every id.
  pattern json,
  organization_id uuid references organizations (id),
  -- Accepts the weak signatures of shipped clients too.
  legacy_challenge boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  -- Operators allow the use together with other codes.
  combinable boolean not null default false,
  -- A partner set the discount: it is at most the partner's fee on the order.
  limited_to_fee boolean not null default false,
  code_hmac bytea,
  sealed_code text,
  searchable text not null generated always as (lower(name)) stored,
  check (num_nonnulls(discount_as_percentage, discount_in_cents) = 1),
  check (start_date < end_date),
  check ((activator = 'RedemptionCode') = (sealed_code is not null)),
  check (not limited_to_fee or organization_id is not null),
  check ((code_hmac is null) = (sealed_code is null))
);
create unique index codes_code_hmac on codes (code_hmac) where deleted_at is null;
-- Operators find deleted codes too.
create index codes_by_hmac on codes (code_hmac);
create index codes_created_at on codes (created_at, id);
create index codes_organization_id on codes (organization_id);
create index codes_searchable on codes using gin (searchable gin_trgm_ops)
  with (gin_pending_list_limit = 256);

-- Keys whose signature activates a code.
create table code_pubkeys (
  code_id uuid not null references codes (id),
  pubkey text not null check (pubkey ~ '^[0-9a-f]{64}$'),
  added_at timestamptz not null,
  revoked_at timestamptz,
  primary key (code_id, pubkey)
);

-- One use per order: reserved with its hold, counted when the order is paid.
create table code_uses (
  code_id uuid not null references codes (id),
  order_id uuid not null,
  user_id uuid not null references users (id),
  -- The number of ids of the order to which the code applies.
  emojis integer not null check (emojis > 0),
  counted_at timestamptz,
  created_at timestamptz not null,
  primary key (code_id, order_id)
);
create index code_uses_order_id on code_uses (order_id);
create index code_uses_user_id on code_uses (code_id, user_id);

-- Nonces of signatures that activated a code; each works once.
create table code_nonces (
  code_id uuid not null references codes (id),
  nonce text not null,
  user_id uuid not null references users (id),
  used_at timestamptz not null,
  primary key (code_id, nonce)
);

-- One row for every object that a payment provider makes for an order.
create table payment_attempts (
  id uuid primary key default gen_random_uuid(),
  order_id uuid not null references orders (id),
  user_id uuid not null references users (id),
  round integer not null,
  method text not null,
  provider text not null check (provider in ('card', 'crypto')),
  -- The provider's name of the object, once it exists.
  reference text,
  amount_in_cents bigint not null check (amount_in_cents > 0),
  -- The cart as it was at the checkout.
  snapshot json not null,
  success_url text,
  cancel_url text,
  -- The data that the buyer needs to pay, until the attempt is closed.
  sealed text,
  status text not null check (status in ('open', 'closed')),
  -- The order made for money that came late.
  late_order_id uuid references orders (id),
  -- When money for it was first seen.
  seen_at timestamptz,
  check_at timestamptz,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  -- All the money was seen while the ids were held: the attempt buys at that price, however late the
  -- money is confirmed.
  seen_in_hold boolean not null default false,
  -- The addresses that the buyer saw. Paid orders still show them; secrets stay in `sealed`.
  methods json not null default '[]',
  -- The saved card that is charged; null: the buyer gives a card to the provider.
  payment_method text,
  -- The card is only authorized, and captured once it is known not to be a removed person's.
  is_capture_manual boolean not null default false,
  -- Why a payment was refunded or released instead of buying the order; null for any other attempt.
  close_reason text
    check (close_reason in ('barred_card', 'removed_buyer', 'closed_order', 'risen_price')),
  unique (provider, reference)
);
create index payment_attempts_order on payment_attempts (order_id);
create unique index payment_attempts_open on payment_attempts (order_id) where status = 'open';
create index payment_attempts_check_at on payment_attempts (check_at) where check_at is not null;
create index payment_attempts_late_order_id on payment_attempts (late_order_id)
  where late_order_id is not null;

-- Events of payment providers; each is processed once.
create table payment_events (
  provider text not null,
  event_id text not null,
  attempt_id uuid,
  created_at timestamptz not null,
  primary key (provider, event_id)
);
create index payment_events_created_at on payment_events (created_at);

-- Customers at the card provider. The provider keeps the cards themselves.
create table payment_customers (
  user_id uuid primary key references users (id),
  customer text not null unique,
  -- The card that the buyer chose as the default.
  default_payment_method text
);

-- Every cent that was received or is refunded. All sums come from this table only.
create table ledger_entries (
  id bigint generated always as identity primary key,
  order_id uuid not null references orders (id),
  attempt_id uuid references payment_attempts (id),
  kind text not null check (
    kind in ('payment', 'cash', 'override', 'write_off', 'refund', 'misc_refund', 'dispute')),
  amount_in_cents bigint not null,
  provider text not null,
  reference text not null,
  reason text,
  actor_id uuid,
  created_at timestamptz not null,
  unique (provider, reference),
  -- Money that a bank took pays a refund that failed later: a positive entry reduces the dispute.
  check (
    case
      when kind in ('refund', 'misc_refund') then amount_in_cents < 0
      when kind = 'dispute' then amount_in_cents <> 0
      else amount_in_cents > 0
    end)
);
create index ledger_entries_order on ledger_entries (order_id);
-- For the operators' figures: holds all columns that they read.
create index ledger_entries_created_at on ledger_entries (created_at) include (kind, amount_in_cents);

create function ledger_is_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger is only added to';
end $$;
create trigger ledger_entries_append_only before update or delete on ledger_entries
  for each row execute function ledger_is_append_only();

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
  -- For a refund that the buyer claims: when the claim link was sent.
  done_at timestamptz,
  -- The page on which the buyer names the address of a refund. Its address is worth the money, so it
  -- is sealed.
  sealed_claim text,
  -- When the money left for the buyer.
  paid_out_at timestamptz,
  -- When the provider was last asked whether the buyer claimed the refund.
  claim_asked_at timestamptz,
  -- The part that a bank paid when it decided a dispute for the buyer.
  by_bank_in_cents bigint not null default 0
    check (by_bank_in_cents between 0 and amount_in_cents),
  -- An operator paid it: the reference is the operator's text, which no provider knows.
  is_given_by_hand boolean not null default false
);
create index refunds_order on refunds (order_id);
create index refunds_unclaimed on refunds (claim_asked_at nulls first)
  where status = 'done' and paid_out_at is null;

-- Payments that the buyer's bank took back or questions.
create table disputes (
  id uuid primary key default gen_random_uuid(),
  reference text not null unique,
  payment_id bigint not null references ledger_entries (id),
  order_id uuid not null references orders (id),
  amount_in_cents bigint not null check (amount_in_cents >= 0),
  reason text not null,
  status text not null check (status in ('open', 'won', 'lost')),
  -- The part that the bank kept beyond planned refunds.
  taken_in_cents bigint not null default 0,
  opened_at timestamptz not null,
  answer_until timestamptz,
  closed_at timestamptz,
  -- An id of the order could not be taken back automatically: an operator decides.
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

-- Requests for one email when an id becomes available. No foreign key: most of these ids have no row.
create table interests (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id),
  emoji_id text collate "C" not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- When the email was queued.
  notified_at timestamptz,
  unique (user_id, emoji_id)
);
create index interests_awaiting on interests (emoji_id, created_at) where notified_at is null;
