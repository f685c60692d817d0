-- How boxes are drawn. A type never changes: its odds belong to every box that was drawn by it.
create table lootbox_types (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  description text not null,
  config json not null,
  -- Null: boxes of this type are not for sale.
  price_in_cents integer check (price_in_cents > 0),
  created_at timestamptz not null,
  -- The ids of the type ran out. It draws no more boxes, because they would not have its odds.
  exhausted_at timestamptz,
  -- Boxes that an operator deleted unopened; buyers see the number.
  discarded_boxes integer not null default 0
);

create table lootboxes (
  id uuid primary key,
  -- Null for a box that an operator filled by hand.
  lootbox_type_id uuid references lootbox_types (id),
  status text not null check (status in ('Draft', 'Available', 'Owned', 'Used')),
  -- The ids in display format, with prices and scores of the time when the box was filled.
  yats text[] not null check (cardinality(yats) > 0),
  prices integer[] not null check (cardinality(prices) = cardinality(yats)),
  scores integer[] not null check (cardinality(scores) = cardinality(yats)),
  -- The address, in lower case, waits for an account that confirms it.
  owner_id uuid references users (id),
  owner_email text check (owner_email = lower(owner_email)),
  sealed_seed text not null,
  seed_hash text not null unique check (seed_hash ~ '^[0-9a-f]{64}$'),
  contents_hash text not null check (contents_hash ~ '^[0-9a-f]{64}$'),
  -- How the box was drawn, and which drawn ids were not available.
  recipe json,
  rejected json not null,
  -- The order that holds the box until `held_until`, or that bought it.
  order_id uuid,
  held_until timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  opened_at timestamptz,
  -- For operators' searches by a part; all parts are in lower case.
  searchable text not null generated always as (
    id::text || ' ' || seed_hash || coalesce(' ' || owner_email, '')) stored,
  -- Since when the payment is disputed.
  frozen_at timestamptz,
  check (num_nonnulls(owner_id, owner_email) = case when status in ('Owned', 'Used') then 1 else 0 end),
  check ((status = 'Used') = (opened_at is not null)),
  check (status <> 'Used' or owner_id is not null),
  check (held_until is null or (status = 'Available' and order_id is not null)),
  check ((lootbox_type_id is null) = (recipe is null))
);
create index lootboxes_created_at on lootboxes (created_at, id);
create index lootboxes_owner_id on lootboxes (owner_id, created_at) where owner_id is not null;
create index lootboxes_owner_email on lootboxes (owner_email) where owner_email is not null;
create index lootboxes_order_id on lootboxes (order_id) where order_id is not null;
-- The proof of a lootbox counts the boxes of its type.
create index lootboxes_type on lootboxes (lootbox_type_id) where lootbox_type_id is not null;
create index lootboxes_searchable on lootboxes using gin (searchable gin_trgm_ops)
  with (gin_pending_list_limit = 256);

alter table reservations
  add constraint reservations_lootbox_id foreign key (lootbox_id) references lootboxes (id);
