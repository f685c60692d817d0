-- For how long a changed payment address of an id waits before it takes effect.
create table delay_locks (
  emoji_id text collate "C" primary key references emoji_ids on delete cascade,
  hours smallint not null check (hours between 1 and 72),
  -- A lower number that somebody asked for, and from when on it holds; 0 is off.
  next_hours smallint check (next_hours between 0 and 71),
  next_at timestamptz,
  check ((next_hours is null) = (next_at is null)),
  -- Grows with every change: a mailed link is about one of them.
  version bigint not null default nextval('record_versions')
);

-- What waits, at most one per id: which payment records go, and which come.
create table waiting_changes (
  emoji_id text collate "C" primary key references emoji_ids on delete cascade,
  number bigint not null default nextval('record_versions'),
  removed jsonb not null,
  inserted jsonb not null,
  actor_id uuid,
  -- R and s by the key of the id, over the root that the records have then.
  signed jsonb,
  asked_at timestamptz not null,
  changes_at timestamptz not null
);
create index waiting_changes_changes_at on waiting_changes (changes_at);

-- Lookups say when an id changes, and what they remember ends then.
create trigger announce_insert after insert on waiting_changes
  referencing new table as changed for each statement execute function announce_changed_ids();
create trigger announce_update after update on waiting_changes
  referencing new table as changed for each statement execute function announce_changed_ids();
create trigger announce_delete after delete on waiting_changes
  referencing old table as changed for each statement execute function announce_changed_ids();
