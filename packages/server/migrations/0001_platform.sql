-- Requests that clients may repeat without a second effect (Idempotency-Key).
create table idempotency_keys (
  -- A hash of caller, method, path and key, so that a caller does not choose the size of a row.
  name_sha256 bytea primary key,
  request_sha256 text not null,
  attempt uuid not null,
  started_at timestamptz not null,
  effect_at timestamptz,
  status smallint,
  -- Sealed.
  body text,
  created_at timestamptz not null
);
create index idempotency_keys_created_at on idempotency_keys (created_at);

-- Parts of the demonstration data that have been written; each is written once.
create table demo_seeds (
  name text primary key,
  seeded_at timestamptz not null default now()
);

-- Each process that reads from a replica writes its own row here, several times a second, on the
-- primary. A replica that shows a beat has everything that was committed before that beat was sent.
create table replica_beats (
  process_id uuid primary key,
  beat bigint not null,
  beaten_at timestamptz not null default now()
) with (fillfactor = 50);
