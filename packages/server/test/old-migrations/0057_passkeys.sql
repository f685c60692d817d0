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
  last_used_at timestamptz
);
create index passkeys_user_id on passkeys (user_id, created_at);

-- Challenges whose signature was accepted. The others are sealed in a cookie and need no row.
create table used_passkey_challenges (
  challenge_sha256 bytea primary key,
  expires_at timestamptz not null
);
create index used_passkey_challenges_expires_at on used_passkey_challenges (expires_at);
