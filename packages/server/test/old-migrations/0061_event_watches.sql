-- Lists of ids that clients watch, for an hour. A list is somebody's address book: the token and the
-- network are stored as hashes only, and no log has the ids.
create table event_watches (
  token_hash bytea primary key,
  emoji_ids text[] not null,
  -- The length of the list, which would have to be read whole for the limits.
  id_count integer not null,
  network_hash bytea not null,
  wide_network_hash bytea not null,
  expires_at timestamptz not null
);
create index event_watches_network on event_watches (network_hash);
create index event_watches_wide_network on event_watches (wide_network_hash);
create index event_watches_expires_at on event_watches (expires_at);
