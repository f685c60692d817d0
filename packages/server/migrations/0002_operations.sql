-- Actor, action and time. Rows are append-only, and outlive accounts: no foreign keys.
create table audit_entries (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  event text not null,
  result text not null,
  actor_id uuid,
  -- The account that the action concerns.
  subject_id uuid,
  request_id text,
  details jsonb not null default '{}'
);
create index audit_entries_subject_id on audit_entries (subject_id, id);
create index audit_entries_actor_id on audit_entries (actor_id, id);
create index audit_entries_event on audit_entries (event, id);
create index audit_entries_emoji_id on audit_entries ((details ->> 'emoji_id'), id)
  where details ->> 'emoji_id' is not null;
create index audit_entries_emoji_ids on audit_entries using gin ((details -> 'emoji_ids'))
  where details -> 'emoji_ids' is not null;

create function refuse_change() returns trigger language plpgsql as $$
declare
  has_rows boolean;
begin
  execute format('select exists (select from %I)', tg_table_name) into has_rows;
  -- A restore truncates the empty table before it fills it.
  if has_rows or tg_op <> 'TRUNCATE' then
    raise exception 'rows of % are only ever added', tg_table_name;
  end if;
  return null;
end $$;
create trigger audit_entries_only_added before update or delete or truncate on audit_entries
  for each statement execute function refuse_change();

-- Emails and text messages to send. Recipient and text are sealed, and deleted after sending.
create table messages (
  id uuid primary key,
  channel text not null check (channel in ('mail', 'sms')),
  kind text not null,
  sealed text,
  status text not null default 'queued' check (status in ('queued', 'sent', 'failed')),
  attempts integer not null default 0,
  -- Why the last attempt failed, as a code: never the text of the other server.
  last_error text,
  created_at timestamptz not null,
  give_up_at timestamptz not null,
  finished_at timestamptz,
  check ((status = 'queued') = (sealed is not null)),
  check ((status = 'queued') = (finished_at is null))
);
create index messages_finished_at on messages (finished_at);
create index messages_give_up_at on messages (give_up_at) where status = 'queued';
create index messages_unsent on messages (created_at) include (channel) where status <> 'sent';

-- Notices to one unconfirmed mailbox, and because of one network, by the hash of either: they may be
-- emails to strangers, and are limited.
create table notice_counts (
  subject bytea primary key,
  sent integer not null,
  since timestamptz not null
);
create index notice_counts_since on notice_counts (since);

-- The notification centre of an account: one row per email about an event, and one per sign-in from a
-- new browser. Never holds codes, tokens or one-time links.
create table notifications (
  id uuid primary key default gen_random_uuid(),
  -- No foreign key: its lock would let two people who are notified of each other's acts wait forever.
  user_id uuid not null,
  kind text not null,
  title text not null check (length(title) <= 200),
  text text not null check (length(text) <= 1000),
  -- The page of the web app where the user can act.
  page text not null check (length(page) <= 500),
  created_at timestamptz not null,
  read_at timestamptz,
  -- The event behind a notification that a later one about the same event replaces while it is unread.
  -- Without it, another user could fill the notification centre of an account.
  subject text check (length(subject) <= 200)
);
create index notifications_of_account on notifications (user_id, created_at desc, id desc);
create index unread_notifications on notifications (user_id) where read_at is null;
create index notifications_created_at on notifications (created_at);

-- Events tell wallets and partners what changed. A row is written in the transaction of its cause and
-- gets its number after the commit, in the order of `id`. A transaction that commits late gets a later
-- number, so a reader that continues after a number misses nothing.
create table events (
  id bigint generated always as identity primary key,
  number bigint unique,
  -- Random, the same for all events that were numbered in one transaction. A database with this tag at
  -- this number has the same events up to it.
  number_tag text,
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
  check (type ~ '^[a-z_]+\.[a-z_]+$'),
  check ((number is null) = (number_tag is null))
);
create index events_without_number on events (id) where number is null;

create function announce_events() returns trigger language plpgsql as $$
begin
  perform pg_notify('event_recorded', '');
  return null;
end
$$;
create trigger announce_insert after insert on events
  for each statement execute function announce_events();

-- One row. The command after-restore begins a new epoch, which ends all earlier cursors.
create table event_sequence (
  only_row boolean primary key default true check (only_row),
  epoch text not null,
  last_number bigint not null default 0,
  -- The last number that was deleted after its retention, and its tag.
  purged_number bigint not null default 0,
  purged_tag text not null default '00000000'
);
insert into event_sequence (epoch) values (left(md5(gen_random_uuid()::text), 8));

-- Lists of ids that clients watch, for an hour. A list is a client's address book: the token and the
-- network are stored as hashes only, and no log has the ids.
create table event_watches (
  token_hash bytea primary key,
  emoji_ids text[] not null,
  -- The length of the list, so that the rate limits do not read the whole list.
  id_count integer not null,
  network_hash bytea not null,
  wide_network_hash bytea not null,
  expires_at timestamptz not null
);
create index event_watches_network on event_watches (network_hash);
create index event_watches_wide_network on event_watches (wide_network_hash);
create index event_watches_expires_at on event_watches (expires_at);
