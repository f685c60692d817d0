-- Ids that a checkout keeps for its buyer until then.
create table holds (
  emoji_id text collate "C" primary key,
  user_id uuid not null references users (id),
  order_id uuid not null,
  expires_at timestamptz not null
);
create index holds_expires_at on holds (expires_at);
create index emoji_ids_created_at on emoji_ids (created_at desc) where pubkey is not null;

-- What ids cost by score, in US cents; the newest row counts.
create table price_tables (
  version integer generated always as identity primary key,
  prices json not null,
  reason text not null,
  actor_id uuid not null,
  created_at timestamptz not null
);
