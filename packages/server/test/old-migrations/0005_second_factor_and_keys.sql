-- Second factors that are in force, the one asked for first in front.
alter table users add column two_factor_auth text[] not null default '{}';

create table second_factors (
  user_id uuid not null references users (id),
  provider text not null check (provider in ('AuthenticatorApp', 'SMS')),
  -- The shared secret, or the phone number.
  sealed text not null,
  -- The last time step whose code was taken; no code is taken twice.
  last_step bigint,
  confirmed_at timestamptz not null,
  primary key (user_id, provider)
);

-- What was asked to be set up and is not confirmed yet.
create table second_factor_setups (
  user_id uuid primary key references users (id),
  provider text not null check (provider in ('AuthenticatorApp', 'SMS')),
  sealed text not null,
  is_default boolean not null,
  backup_codes_sha256 bytea[] not null,
  created_at timestamptz not null
);

create table backup_codes (
  user_id uuid not null references users (id),
  code_sha256 bytea not null,
  primary key (user_id, code_sha256)
);

-- Codes on their way to a phone, each for the session that asked.
create table sms_codes (
  session_id uuid primary key references sessions (id) on delete cascade,
  user_id uuid not null references users (id),
  code_hmac bytea not null,
  tries integer not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
-- When text messages were sent, to send only so many.
create table sms_sendings (
  user_id uuid not null references users (id),
  at timestamptz not null
);
create index sms_sendings_user_id on sms_sendings (user_id, at);

alter table sessions
  -- A code is still owed: until then the session may do nothing else.
  add column second_factor_due boolean not null default false,
  -- When the last code was given.
  add column second_factor_at timestamptz;

create table api_keys (
  id uuid primary key,
  user_id uuid not null references users (id),
  name text not null,
  scopes text[] not null,
  token_sha256 bytea not null unique,
  -- Made right after a code was given.
  with_second_factor boolean not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  deleted_at timestamptz
);
create index api_keys_user_id on api_keys (user_id) where deleted_at is null;

-- When the owner of a key whose private half is not here showed that they have it.
alter table keys add column proven_at timestamptz;

create table wallets (
  user_id uuid not null references users (id),
  eth_address text not null,
  source text not null,
  created_at timestamptz not null,
  primary key (user_id, eth_address)
);
