-- Whoever has the key has the id. Ids without one were registered by the operator.
alter table emoji_ids
  add column pubkey text references keys (pubkey),
  -- Until then it is neither transferred nor minted.
  add column blocked_until timestamptz;
create index emoji_ids_pubkey on emoji_ids (pubkey);

-- A hash over all records of the set, and the signature over it by the key of the id.
alter table record_sets
  add column merkle_root text,
  add column signer text,
  add column nonce text,
  add column signature text;

-- Every state that the records of an id have been in, for as long as the same owner has it.
create table record_history (
  emoji_id text collate "C" not null references emoji_ids on delete cascade,
  version bigint not null,
  changed_at timestamptz not null,
  actor_id uuid,
  records json not null,
  primary key (emoji_id, version)
);

-- Records that came with a store entry leave with it.
alter table store_entries add column linked_hashes text[] not null default '{}';
