-- Requests that clients may repeat without a second effect (Idempotency-Key).
create table idempotency_keys (
  caller text not null,
  method text not null,
  path text not null,
  key text not null,
  request_sha256 text not null,
  attempt uuid not null,
  started_at timestamptz not null,
  effect_at timestamptz,
  status smallint,
  body text,
  created_at timestamptz not null,
  primary key (caller, method, path, key)
);
create index idempotency_keys_created_at on idempotency_keys (created_at);

-- Parts of the demonstration data that have been written; each is written once.
create table demo_seeds (
  name text primary key,
  seeded_at timestamptz not null default now()
);
