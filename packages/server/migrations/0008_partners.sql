-- The look of a partner's pages, and the address to which they return.
create table brandings (
  organization_id uuid primary key references organizations (id) on delete cascade,
  return_link text not null,
  currencies text[] not null,
  requires_email boolean not null,
  logo text,
  logo_small text,
  logo_thumbnail text,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

-- Webhooks push events to addresses of accounts and organizations.
create table webhook_endpoints (
  id uuid primary key default gen_random_uuid(),
  -- The account that is responsible. Deliveries stop when it loses the right to the events.
  user_id uuid not null references users (id) on delete cascade,
  -- The owner; null: the account itself.
  organization_id uuid references organizations (id) on delete cascade,
  -- The API key that made the endpoint. Deliveries stop when it is revoked.
  api_key_id uuid references api_keys (id) on delete cascade,
  -- The rest of the address is sealed: receivers put tokens into it.
  origin text not null,
  sealed_url text not null,
  -- Empty: all types.
  types text[] not null default '{}',
  -- Operators set `stopped`, and the owner cannot change it.
  status text not null default 'active' check (status in ('active', 'paused', 'disabled', 'stopped')),
  status_reason text,
  -- The operator's words.
  note text,
  sealed_secret text not null,
  -- Signs too for a day after a rotation.
  sealed_previous text,
  previous_until timestamptz,
  -- The last delivery succeeded quickly. Other endpoints get fewer connections, from a separate pool.
  is_healthy boolean not null default false,
  failures integer not null default 0,
  failing_since timestamptz,
  hold_until timestamptz,
  last_success_at timestamptz,
  -- Events after this number were not queued, because the endpoint was disabled.
  missed_after bigint,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Failed and slow tries since the last quick success. An endpoint with more than two shares its
  -- connections with other slow and failing endpoints.
  setbacks integer not null default 0,
  -- A second rotation within a day keeps the secret before the previous one until its own end.
  sealed_older text,
  older_until timestamptz,
  check ((sealed_previous is null) = (previous_until is null)),
  check ((sealed_older is null) = (older_until is null))
);
create index webhook_endpoints_of_account on webhook_endpoints (user_id);
create index webhook_endpoints_of_organization on webhook_endpoints (organization_id)
  where organization_id is not null;

-- One event for one endpoint. The rows are the queue: a dispatcher leases them, so a killed process
-- loses none.
create table webhook_deliveries (
  id uuid primary key default gen_random_uuid(),
  -- The oldest is sent first.
  place bigint generated always as identity,
  endpoint_id uuid not null references webhook_endpoints (id) on delete cascade,
  event_id text not null,
  -- Null for a test event.
  number bigint,
  type text not null,
  emoji_id text collate "C",
  -- The exact body, which is signed.
  payload text not null,
  status text not null default 'waiting'
    check (status in ('waiting', 'sending', 'delivered', 'failed', 'cancelled')),
  tries integer not null default 0,
  due_at timestamptz not null,
  leased_by uuid,
  -- By the clock of the database.
  leased_until timestamptz,
  response_status integer,
  latency_ms integer,
  answer text,
  error text,
  last_tried_at timestamptz,
  created_at timestamptz not null,
  unique (endpoint_id, event_id)
);
create index webhook_deliveries_due on webhook_deliveries (endpoint_id, due_at) where status = 'waiting';
create index webhook_deliveries_oldest on webhook_deliveries (endpoint_id, place) where status = 'waiting';
create index webhook_deliveries_leased on webhook_deliveries (endpoint_id) where status = 'sending';
create index webhook_deliveries_log on webhook_deliveries (endpoint_id, created_at, id);
create index webhook_deliveries_age on webhook_deliveries (created_at);

-- One row: events up to this number have their deliveries.
create table webhook_progress (
  only_row boolean primary key default true check (only_row),
  queued_number bigint not null
);
insert into webhook_progress (queued_number) select last_number from event_sequence;
