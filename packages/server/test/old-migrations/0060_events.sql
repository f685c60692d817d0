-- Events tell wallets and partners what changed. A row is written in the transaction of its cause and
-- gets its number after the commit, in the order of `id`. A transaction that commits late gets a later
-- number, so a reader that continues after a number misses nothing.
create table events (
  id bigint generated always as identity primary key,
  number bigint unique,
  -- The public id, which makes deliveries idempotent.
  event_id text not null unique,
  type text not null,
  -- The id of the directory; null for orders.
  emoji_id text collate "C",
  -- The payload. It never holds an address: readers look the id up.
  data jsonb not null,
  -- Accounts and organizations that are concerned: owners of the id, buyer and partner of an order.
  user_ids uuid[] not null default '{}',
  organization_ids uuid[] not null default '{}',
  created_at timestamptz not null,
  check (type ~ '^[a-z_]+\.[a-z_]+$')
);
create index events_without_number on events (id) where number is null;

-- One row. `place` names the database cluster, its timeline and this table: after a restore or a
-- failover it differs, and the sequencer begins a new epoch, because numbers may have been lost.
create table event_sequence (
  only_row boolean primary key default true check (only_row),
  epoch text not null,
  place text not null,
  last_number bigint not null default 0,
  -- The last number that was deleted after its retention.
  purged_number bigint not null default 0
);
insert into event_sequence (epoch, place) values (left(md5(gen_random_uuid()::text), 8), '');

create function announce_events() returns trigger language plpgsql as $$
begin
  perform pg_notify('event_recorded', '');
  return null;
end
$$;
create trigger announce_insert after insert on events
  for each statement execute function announce_events();
