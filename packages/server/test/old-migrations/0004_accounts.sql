-- People and programs that have an account.
create table users (
  id uuid primary key default gen_random_uuid(),
  -- As it was written; addresses are the same when their lower-case forms are.
  email text,
  email_verified_at timestamptz,
  -- The mailbox's owner came through a mailed link: whatever was made before that is gone.
  claimed_at timestamptz,
  alternate_id text,
  source text,
  first_name text,
  last_name text,
  password_hash text,
  role text not null default 'User' check (role in ('User', 'Bot', 'Admin', 'Super')),
  free_limit integer not null default 1 check (free_limit >= 0),
  free_used integer not null default 0 check (free_used >= 0),
  activation_source text,
  partner_transaction_id text,
  two_factor_last_prompted_at timestamptz,
  -- Sessions and access tokens carry the number that stood here; raising it ends them all.
  epoch integer not null default 0,
  deactivated_at timestamptz,
  deleted_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index users_email on users (lower(email));
create unique index users_alternate_id on users (alternate_id);
create index users_created_at on users (created_at, id);

create table features (
  id uuid primary key default gen_random_uuid(),
  code text not null unique
);
create table user_features (
  user_id uuid not null references users (id),
  feature_id uuid not null references features (id) on delete cascade,
  primary key (user_id, feature_id)
);

create table organizations (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  partner_path text unique,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create table organization_members (
  organization_id uuid not null references organizations (id) on delete cascade,
  user_id uuid not null references users (id),
  role text not null check (role in ('OrgMember', 'OrgController', 'OrgOwner')),
  created_at timestamptz not null,
  primary key (organization_id, user_id)
);
create index organization_members_user_id on organization_members (user_id);

-- Key pairs that own ids. A private key, where we hold it, is sealed for its owner and pubkey.
create table keys (
  pubkey text primary key check (pubkey ~ '^[0-9a-f]{64}$'),
  user_id uuid references users (id),
  organization_id uuid references organizations (id),
  sealed_private_key text,
  created_at timestamptz not null,
  check (num_nonnulls(user_id, organization_id) = 1)
);
create index keys_user_id on keys (user_id, created_at);
create index keys_organization_id on keys (organization_id, created_at);

-- Mailed links and one-use codes, by the hash of their token.
create table links (
  token_sha256 bytea primary key,
  purpose text not null,
  user_id uuid not null references users (id),
  data jsonb not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index links_user_id on links (user_id, purpose);
create index links_expires_at on links (expires_at);

-- One login on one device: a family of refresh tokens, each replacing the one before.
create table sessions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id),
  -- When the mailed link was opened that it came from.
  linked_at timestamptz,
  -- The user's number at its birth; when that moves on, the session is over.
  epoch integer not null,
  user_agent text,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz
);
create index sessions_user_id on sessions (user_id) where ended_at is null;
create index sessions_expires_at on sessions (expires_at);

create table refresh_tokens (
  token_sha256 bytea primary key,
  session_id uuid not null references sessions (id) on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  rotated_at timestamptz
);
create index refresh_tokens_session_id on refresh_tokens (session_id);

-- Failed logins, by the hash of the name or address tried.
create table login_failures (
  subject bytea primary key,
  failures integer not null,
  last_at timestamptz not null,
  blocked_until timestamptz
);
create index login_failures_last_at on login_failures (last_at);

-- Who did what. Rows are only ever added.
create table audit_entries (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  event text not null,
  result text not null,
  -- Who acted, and whose account it concerns; no reference, since rows outlive accounts.
  actor_id uuid,
  subject_id uuid,
  request_id text,
  details jsonb not null default '{}'
);
create index audit_entries_subject_id on audit_entries (subject_id, id);
create index audit_entries_actor_id on audit_entries (actor_id, id);

create function refuse_change() returns trigger language plpgsql as $$
declare
  has_rows boolean;
begin
  execute format('select exists (select from %I)', tg_table_name) into has_rows;
  -- Emptying what is empty, as a restore does before it fills it, changes nothing.
  if has_rows or tg_op <> 'TRUNCATE' then
    raise exception 'rows of % are only ever added', tg_table_name;
  end if;
  return null;
end $$;
create trigger audit_entries_only_added before update or delete or truncate on audit_entries
  for each statement execute function refuse_change();
