-- People and programs that have an account.
create table users (
  id uuid primary key default gen_random_uuid(),
  -- As the user wrote it; two addresses are the same if their lower-case forms are.
  email text,
  email_verified_at timestamptz,
  -- The owner of the mailbox opened an emailed link: all access from before is revoked.
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
  -- Sessions and access tokens carry this number; raising it revokes all of them.
  epoch integer not null default 0,
  deactivated_at timestamptz,
  deleted_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- The confirmed second factors, the default one first.
  two_factor_auth text[] not null default '{}',
  -- For operators' searches by a part: one text in lower case, with an index of its trigrams. The
  -- limit of the index lets a registration merge few rows, not those of thousands of others.
  searchable text not null generated always as (
    lower(id::text || coalesce(' ' || email, '') || coalesce(' ' || first_name, '')
      || coalesce(' ' || last_name, '') || coalesce(' ' || alternate_id, ''))) stored,
  -- An application made the password when it registered the account by an alternate id: no person
  -- chose it.
  password_by_app boolean not null default false
);
create unique index users_email on users (lower(email));
create unique index users_alternate_id on users (alternate_id);
create index users_created_at on users (created_at, id);
create index users_searchable on users using gin (searchable gin_trgm_ops)
  with (gin_pending_list_limit = 256);

-- Capabilities that administrators give to some users.
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
  updated_at timestamptz not null,
  client_fee_percent integer not null default 0 check (client_fee_percent between 0 and 100)
);

create table organization_members (
  organization_id uuid not null references organizations (id) on delete cascade,
  user_id uuid not null references users (id),
  role text not null check (role in ('OrgMember', 'OrgController', 'OrgOwner')),
  created_at timestamptz not null,
  -- Membership begins with the person's acceptance. Null: an operator placed the member, who has not
  -- accepted yet.
  accepted_at timestamptz,
  -- The last owner cannot leave. This duty begins when the person accepts to be owner, not when
  -- another owner raises their role.
  owner_accepted_at timestamptz,
  primary key (organization_id, user_id)
);
create index organization_members_user_id on organization_members (user_id);

-- Changes of members that an emailed notice can still take back. A role is null for a user who is no
-- member.
create table organization_member_changes (
  id bigint generated always as identity primary key,
  organization_id uuid not null references organizations (id) on delete cascade,
  user_id uuid not null references users (id),
  changed_by uuid,
  role_before text check (role_before in ('OrgMember', 'OrgController', 'OrgOwner')),
  role_after text check (role_after in ('OrgMember', 'OrgController', 'OrgOwner')),
  changed_at timestamptz not null,
  -- When the former membership and the former role were accepted; a reverted change restores both.
  accepted_at timestamptz,
  owner_accepted_at timestamptz
);
create index organization_member_changes_organization_id
  on organization_member_changes (organization_id, changed_at);
create index organization_member_changes_user_id on organization_member_changes (user_id);

-- Invitations are addressed to a mailbox, never to an account: the organization must not learn
-- whether the account exists. Ended ones count towards the limits until a job deletes them.
create table organization_invitations (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null references organizations (id) on delete cascade,
  email text not null,
  role text not null check (role in ('OrgMember', 'OrgController', 'OrgOwner')),
  invited_by uuid not null references users (id),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  accepted_by uuid references users (id)
);
create unique index organization_invitations_open
  on organization_invitations (organization_id, lower(email)) where ended_at is null;
create index organization_invitations_email on organization_invitations (lower(email));
create index organization_invitations_organization
  on organization_invitations (organization_id, created_at);
create index organization_invitations_invited_by on organization_invitations (invited_by);
create index organization_invitations_accepted_by on organization_invitations (accepted_by);
create index organization_invitations_created_at on organization_invitations (created_at);

-- Key pairs that own ids. The private key of a custodial one is sealed for its owner and pubkey.
create table keys (
  pubkey text primary key check (pubkey ~ '^[0-9a-f]{64}$'),
  user_id uuid references users (id),
  organization_id uuid references organizations (id),
  sealed_private_key text,
  created_at timestamptz not null,
  -- When the owner signed with a private key that the service does not have.
  proven_at timestamptz,
  check (num_nonnulls(user_id, organization_id) = 1)
);
create index keys_user_id on keys (user_id, created_at);
create index keys_organization_id on keys (organization_id, created_at);

-- Emailed links and one-use codes, by the hash of their token.
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
-- Emails are limited by mailbox: an address without its +tag.
create index links_mailbox on links (
  regexp_replace(lower(data ->> 'email'), '\+[^@]*@', '@'), created_at);

-- One sign-in on one device: a chain of refresh tokens, each replacing the one before.
create table sessions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id),
  -- When the emailed link was opened that began the session.
  linked_at timestamptz,
  -- The user's epoch at the sign-in; the session ends when that is raised.
  epoch integer not null,
  user_agent text,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  -- The session owes a code: until then it permits nothing else.
  second_factor_due boolean not null default false,
  -- When the last code was accepted.
  second_factor_at timestamptz,
  -- A sign-in on a device, or the session behind a cookie of the authorization or the web site.
  kind text not null default 'device' check (kind in ('device', 'authorization', 'web')),
  -- A session that continued the sign-in of another one ends with it.
  parent_id uuid references sessions (id) on delete cascade,
  -- The last sign-in of the person; a refresh or a continued sign-in does not count.
  logged_in_at timestamptz not null,
  -- The epoch that the first emailed link of an account revoked, for the session that began with it.
  claimed_epoch integer
);
create index sessions_user_id on sessions (user_id) where ended_at is null;
create index sessions_expires_at on sessions (expires_at);
create index sessions_parent_id on sessions (parent_id);
-- A sign-in reads the newest sessions of the account, also ended ones.
create index sessions_user_id_created_at on sessions (user_id, created_at);

create table refresh_tokens (
  token_sha256 bytea primary key,
  session_id uuid not null references sessions (id) on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  rotated_at timestamptz,
  -- The grace time of a rotated refresh token ends with the first use of its successor.
  used_at timestamptz
);
create index refresh_tokens_session_id on refresh_tokens (session_id);

-- Failed sign-ins, by the hash of name and network.
create table login_failures (
  subject bytea primary key,
  failures integer not null,
  last_at timestamptz not null,
  blocked_until timestamptz,
  -- The hash of the name: a reset clears all networks.
  name bytea
);
create index login_failures_last_at on login_failures (last_at);
create index login_failures_name on login_failures (name) where name is not null;

create table second_factors (
  user_id uuid not null references users (id),
  provider text not null check (provider in ('AuthenticatorApp', 'SMS')),
  -- The shared secret, or the phone number.
  sealed text not null,
  -- The last time step whose code was accepted; no code is accepted twice.
  last_step bigint,
  confirmed_at timestamptz not null,
  -- The network of the last accepted code. Text messages that a stranger requests with a stolen
  -- password leave some for the owner.
  last_network text,
  primary key (user_id, provider)
);

-- A requested second factor that is not confirmed yet. It belongs to the session that requested it:
-- another session neither confirms nor replaces it.
create table second_factor_setups (
  user_id uuid not null references users (id),
  provider text not null check (provider in ('AuthenticatorApp', 'SMS')),
  sealed text not null,
  is_default boolean not null,
  backup_codes_sha256 bytea[] not null,
  created_at timestamptz not null,
  session_id uuid primary key references sessions (id) on delete cascade
);
create index second_factor_setups_user_id on second_factor_setups (user_id);

create table backup_codes (
  user_id uuid not null references users (id),
  code_sha256 bytea not null,
  primary key (user_id, code_sha256)
);

-- Codes sent to a phone, each for the session that requested it.
create table sms_codes (
  session_id uuid primary key references sessions (id) on delete cascade,
  user_id uuid not null references users (id),
  code_hmac bytea not null,
  tries integer not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null
);

-- Text messages cost money: they are limited by account, number, network, country and day. Rows stay
-- when their account is deleted, so that a new account does not start at zero.
create table sms_sendings (
  user_id uuid not null references users (id),
  at timestamptz not null,
  phone_hmac bytea,
  network text,
  country text,
  purpose text,
  has_email boolean,
  -- Requested from the network of the last accepted code.
  is_known boolean not null default false
);
create index sms_sendings_user_id on sms_sendings (user_id, at);
create index sms_sendings_at on sms_sendings (at);

-- Lost second factors that are removed after a wait; one per user.
create table second_factor_recoveries (
  user_id uuid primary key references users (id),
  asked_at timestamptz not null,
  ends_at timestamptz not null
);
create index second_factor_recoveries_ends_at on second_factor_recoveries (ends_at);

-- Passkeys for the sign-in at the web site.
create table passkeys (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id),
  credential_id text collate "C" not null unique,
  public_key bytea not null,
  -- Grows with each use, if the authenticator counts at all.
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  -- When the owner allowed a passkey to take the place of a code. Null: it only takes the place of the
  -- password, because it is older than the second factor.
  confirmed_at timestamptz
);
create index passkeys_user_id on passkeys (user_id, created_at);

-- Challenges whose signature was accepted. The others are sealed in a cookie and need no row.
create table used_passkey_challenges (
  challenge_sha256 bytea primary key,
  expires_at timestamptz not null
);
create index used_passkey_challenges_expires_at on used_passkey_challenges (expires_at);

create table api_keys (
  id uuid primary key,
  user_id uuid not null references users (id),
  name text not null,
  scopes text[] not null,
  token_sha256 bytea not null unique,
  -- Made right after a code of the second factor.
  with_second_factor boolean not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  deleted_at timestamptz,
  -- The owner removed the second factor later: operations that require a code refuse the key.
  outlived_second_factor boolean not null default false,
  -- To the minute.
  last_used_at timestamptz,
  last_used_network text,
  last_used_agent text
);
create index api_keys_user_id on api_keys (user_id) where deleted_at is null;

create table wallets (
  user_id uuid not null references users (id),
  eth_address text not null,
  source text not null,
  created_at timestamptz not null,
  -- The wallet signed a challenge.
  proven boolean not null default false,
  primary key (user_id, eth_address)
);

-- The open challenge of an account; a new one replaces it.
create table wallet_challenges (
  user_id uuid primary key references users (id),
  eth_address text not null,
  message_sha256 bytea not null,
  expires_at timestamptz not null
);

-- Every mailbox that an account verified, also former ones. Only hashes: a removed person is barred
-- from all of them.
create table verified_mailboxes (
  user_id uuid not null references users (id),
  mailbox_sha256 bytea not null,
  primary key (user_id, mailbox_sha256)
);

create function hash_mailbox(address text) returns bytea language sql immutable strict
  return sha256(convert_to(regexp_replace(lower(address), '\+[^@]*@', '@'), 'UTF8'));

-- Gmail ignores dots in the name of a mailbox, and googlemail.com is the same domain.
create function fold_mailbox(address text) returns text language sql immutable strict
  return case when lower(address) ~ '@(gmail|googlemail)\.com$'
    then replace(regexp_replace(split_part(lower(address), '@', 1), '\+.*', ''), '.', '')
      || '@gmail.com'
    else address end;

-- The address as written and its folded form.
create function hash_mailbox_forms(address text) returns bytea[] language sql immutable strict
  return array[hash_mailbox(address), hash_mailbox(fold_mailbox(address))];

-- A trigger, so that no statement that verifies or replaces an address can skip it.
create function store_verified_mailbox() returns trigger language plpgsql as $$
begin
  if new.email is not null and new.email_verified_at is not null then
    insert into verified_mailboxes (user_id, mailbox_sha256)
      select new.id, unnest(hash_mailbox_forms(new.email)) on conflict do nothing;
  elsif tg_op = 'UPDATE' and old.email_verified_at is not null and new.email = old.email then
    -- The owner of the mailbox disowned the account.
    delete from verified_mailboxes
      where user_id = new.id and mailbox_sha256 = any (hash_mailbox_forms(new.email));
  end if;
  return null;
end $$;
create trigger users_verified_mailbox after insert or update of email, email_verified_at on users
  for each row execute function store_verified_mailbox();

-- People whose accounts operators deactivated. They cannot buy with another account.
create table removed_people (
  user_id uuid primary key references users (id),
  removed_at timestamptz not null
);

-- Only hashes, so that the mailbox stays unreadable after the account is deleted.
create table removed_mailboxes (
  mailbox_sha256 bytea not null,
  user_id uuid not null references removed_people (user_id) on delete cascade,
  primary key (mailbox_sha256, user_id)
);
create index removed_mailboxes_user_id on removed_mailboxes (user_id);

-- The cards that a user paid with, by the fingerprint of the card provider.
create table card_fingerprints (
  fingerprint text collate "C" not null,
  user_id uuid not null references users (id),
  seen_at timestamptz not null,
  primary key (fingerprint, user_id)
);
create index card_fingerprints_user_id on card_fingerprints (user_id);

-- People who deleted their account while an id of theirs was reported or suspended. Until then
-- operators can bar them by the hashes of their mailboxes and the fingerprints of their cards.
create table retained_people (
  user_id uuid primary key references users (id),
  until timestamptz not null
);
create index retained_people_until on retained_people (until);
