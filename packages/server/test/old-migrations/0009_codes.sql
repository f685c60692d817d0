-- What takes something off a cart, or gives an id by chance.
create table codes (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  code_type text not null check (code_type in ('Discount', 'RandomYat')),
  -- How it comes to be used: by typing it, or by a signature of a listed key.
  activator text not null check (activator in ('RedemptionCode', 'SecretKey')),
  redemption_code text,
  discount_as_percentage integer check (discount_as_percentage between 1 and 100),
  discount_in_cents integer check (discount_in_cents > 0),
  start_date timestamptz,
  end_date timestamptz,
  max_uses integer check (max_uses > 0),
  max_emojis_per_user integer check (max_emojis_per_user > 0),
  -- Which ids it is for; null: every id.
  pattern json,
  organization_id uuid references organizations (id),
  -- Takes the weak signatures of shipped clients too.
  legacy_challenge boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  check (num_nonnulls(discount_as_percentage, discount_in_cents) = 1),
  check (start_date < end_date),
  check ((activator = 'RedemptionCode') = (redemption_code is not null))
);
create unique index codes_redemption_code on codes (lower(redemption_code))
  where deleted_at is null;
create index codes_created_at on codes (created_at, id);
create index codes_organization_id on codes (organization_id);

-- Keys whose signature activates a code.
create table code_pubkeys (
  code_id uuid not null references codes (id),
  pubkey text not null check (pubkey ~ '^[0-9a-f]{64}$'),
  added_at timestamptz not null,
  revoked_at timestamptz,
  primary key (code_id, pubkey)
);

-- One use per order: reserved with its hold, counted when it is paid.
create table code_uses (
  code_id uuid not null references codes (id),
  order_id uuid not null,
  user_id uuid not null references users (id),
  -- How many ids of the order it is for.
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
