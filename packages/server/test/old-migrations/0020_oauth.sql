-- Applications in which people log in with an emoji id.
create table oauth_clients (
  id text primary key,
  organization_id uuid not null references organizations (id),
  name text not null,
  logo text,
  redirect_uris text[] not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz
);
create index oauth_clients_organization_id on oauth_clients (organization_id);

-- The secrets of an application: two while it changes from one to the next.
create table oauth_secrets (
  id uuid primary key default gen_random_uuid(),
  client_id text not null references oauth_clients (id),
  secret_sha256 bytea not null,
  created_at timestamptz not null
);
create index oauth_secrets_client_id on oauth_secrets (client_id);

-- One id that a person lets an application see, until it ends.
create table oauth_grants (
  id uuid primary key default gen_random_uuid(),
  client_id text not null references oauth_clients (id),
  user_id uuid not null references users (id),
  emoji_id text not null,
  -- Of the user when it was made: a log-out ends it like every session.
  epoch integer not null,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz
);
create index oauth_grants_user_id on oauth_grants (user_id, client_id);
create index oauth_grants_expires_at on oauth_grants (expires_at);

-- The account as one application knows it: two of them cannot tell that it is the same.
create table oauth_subjects (
  client_id text not null references oauth_clients (id),
  user_id uuid not null references users (id),
  subject uuid not null default gen_random_uuid(),
  primary key (client_id, user_id)
);

-- Codes that were given out. What they are for is in the code itself, which we signed; who gave
-- them is only here, since browsers and applications read the code.
create table oauth_codes (
  id uuid primary key,
  client_id text not null references oauth_clients (id),
  user_id uuid not null references users (id),
  epoch integer not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  grant_id uuid references oauth_grants (id) on delete set null
);
create index oauth_codes_expires_at on oauth_codes (expires_at);
create index oauth_codes_grant_id on oauth_codes (grant_id);

-- The refresh tokens of a grant, each replaced by the next; only hashes are kept.
create table oauth_tokens (
  token_sha256 bytea primary key,
  grant_id uuid not null references oauth_grants (id) on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  rotated_at timestamptz
);
create index oauth_tokens_grant_id on oauth_tokens (grant_id);
create index oauth_tokens_expires_at on oauth_tokens (expires_at);

-- Whoever has an id no longer shows it to anybody: not even once it comes back to them.
create function end_oauth_grants() returns trigger language plpgsql as $$
begin
  update oauth_grants set ended_at = now() where emoji_id = old.emoji_id and ended_at is null;
  return null;
end
$$;
create index oauth_grants_emoji_id on oauth_grants (emoji_id) where ended_at is null;
create trigger owner_changed after update of pubkey on emoji_ids
  for each row when (old.pubkey is distinct from new.pubkey) execute function end_oauth_grants();
create trigger id_released after delete on emoji_ids
  for each row execute function end_oauth_grants();

-- A login on a device, or what the cookie of one of our sites stands for.
alter table sessions add column kind text not null default 'device'
  check (kind in ('device', 'authorization', 'web'));
-- What went on at a site of ours from a session elsewhere ends with it.
alter table sessions add column parent_id uuid references sessions (id) on delete cascade;
create index sessions_parent_id on sessions (parent_id);
