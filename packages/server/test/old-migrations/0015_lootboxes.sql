-- How boxes are drawn. A type is never changed: boxes that people have were drawn by it.
create table lootbox_types (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  description text not null,
  config json not null,
  -- For how much its boxes are sold; null: they are not.
  price_in_cents integer check (price_in_cents > 0),
  created_at timestamptz not null
);

create table lootboxes (
  id uuid primary key,
  -- Null for a box that was filled by hand.
  lootbox_type_id uuid references lootbox_types (id),
  status text not null check (status in ('Draft', 'Available', 'Owned', 'Used')),
  -- What is in it, as it is to be displayed, with the prices and scores of when it was filled.
  yats text[] not null check (cardinality(yats) > 0),
  prices integer[] not null check (cardinality(prices) = cardinality(yats)),
  scores integer[] not null check (cardinality(scores) = cardinality(yats)),
  -- The address is in lower case, and waits for an account that confirms it.
  owner_id uuid references users (id),
  owner_email text check (owner_email = lower(owner_email)),
  sealed_seed text not null,
  seed_hash text not null unique check (seed_hash ~ '^[0-9a-f]{64}$'),
  contents_hash text not null check (contents_hash ~ '^[0-9a-f]{64}$'),
  -- How it was drawn, and what was drawn and could not be had.
  recipe json,
  rejected json not null,
  -- The order that keeps it until then, or that bought it.
  order_id uuid,
  held_until timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  opened_at timestamptz,
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

alter table reservations
  add constraint reservations_lootbox_id foreign key (lootbox_id) references lootboxes (id),
  add check ((reason = 'lootbox') = (lootbox_id is not null)),
  add check (reason <> 'lootbox' or until is null);
create index reservations_lootbox_id on reservations (lootbox_id) where lootbox_id is not null;

alter table order_items
  add column lootbox_id uuid,
  add check ((item_type = 'LootBox') = (lootbox_id is not null));
create unique index order_items_lootbox_id on order_items (order_id, lootbox_id)
  where lootbox_id is not null;
