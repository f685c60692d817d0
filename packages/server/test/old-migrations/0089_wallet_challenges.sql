-- A proof of a wallet is now a signature over a message that is used once. The one of before was the
-- same text for ever, so it could be replayed: these wallets count as not proven until they prove again.
update wallets set proven = false where proven;

-- The open message of an account; a new one replaces it.
create table wallet_challenges (
  user_id uuid primary key references users (id),
  eth_address text not null,
  message_sha256 bytea not null,
  expires_at timestamptz not null
);
