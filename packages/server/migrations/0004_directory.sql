-- Versions of record sets come from one sequence, so that they also grow when an id is sold again.
create sequence record_versions as bigint;

-- Numbers of tokens; an id gets one with its first mint signature.
create sequence token_ids as bigint;

-- The registered ids. The key is the canonical format: equal ids are equal rows.
create table emoji_ids (
  emoji_id text collate "C" primary key,
  display_format text not null,
  -- The version of the alphabet when the id was acquired.
  generation smallint not null,
  token_id bigint unique,
  minted boolean not null default false,
  version bigint not null default nextval('record_versions'),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- The key of the owner. Null: the operator registered the id.
  pubkey text references keys (pubkey),
  -- Until then the id is neither transferred nor minted.
  blocked_until timestamptz,
  bought_at timestamptz,
  -- Until then a mint signature is valid, so the id stays with its owner.
  signed_until timestamptz,
  -- The order that bought the id, alone or in a box: a dispute of its payment freezes the id. No
  -- foreign key: opening a box locks the box, and must not wait for the order.
  order_id uuid,
  -- Since when the payment is disputed; until the dispute ends, the id stays with its owner.
  frozen_at timestamptz,
  -- How the id came into the directory; a transfer does not change it.
  origin text not null default 'Grant' check (origin in ('Purchase', 'LootBox', 'Grant')),
  -- A suspended id refuses every lookup and every change until an operator restores it.
  suspended_at timestamptz,
  suspension_reason text,
  -- Suspended because the account of the owner was deactivated.
  suspended_with_owner boolean not null default false,
  -- The operator who suspended the id.
  suspended_by uuid references users (id),
  -- The person with whose account the id was suspended, perhaps the only active power role of the
  -- organization that owns the id. Activating the account restores the id.
  suspended_with_user uuid references users (id),
  -- The account that holds the token of a minted id, as the chain was last reported.
  token_account text
);
create index emoji_ids_pubkey on emoji_ids (pubkey);
create index emoji_ids_bought_at on emoji_ids (bought_at desc) where bought_at is not null;
create index emoji_ids_order on emoji_ids (order_id) where order_id is not null;
create index emoji_ids_tokens on emoji_ids (token_id) where token_id is not null;
create index emoji_ids_suspended_at on emoji_ids (suspended_at) where suspended_at is not null;
create index emoji_ids_suspended_by on emoji_ids (suspended_by) where suspended_by is not null;
create index emoji_ids_suspended_with_user on emoji_ids (suspended_with_user)
  where suspended_with_user is not null;

-- Sends a notice for every id whose lookup a statement changes, so that every process evicts it. Here
-- and below, triggers do it: no statement can skip them.
create function announce_changed_ids() returns trigger language plpgsql as $$
begin
  if (select count(*) from (select from changed limit 1001) as few) > 1000 then
    perform pg_notify('emoji_id_changed', '*');
  else
    perform pg_notify('emoji_id_changed', emoji_id) from changed;
  end if;
  return null;
end
$$;
create trigger announce_insert after insert on emoji_ids
  referencing new table as changed for each statement execute function announce_changed_ids();
create trigger announce_update after update on emoji_ids
  referencing new table as changed for each statement execute function announce_changed_ids();
create trigger announce_delete after delete on emoji_ids
  referencing old table as changed for each statement execute function announce_changed_ids();

-- Ids that a checkout keeps for its buyer.
create table holds (
  emoji_id text collate "C" primary key,
  user_id uuid not null references users (id),
  order_id uuid not null,
  expires_at timestamptz not null
);
create index holds_expires_at on holds (expires_at);
create index holds_order on holds (order_id);

-- Ids without an owner that are not for sale at present: after a refund, or in a lootbox.
create table reservations (
  emoji_id text collate "C" primary key,
  reason text not null check (reason in ('cooling', 'lootbox')),
  -- 0005 adds the foreign key.
  lootbox_id uuid,
  until timestamptz,
  check ((reason = 'lootbox') = (lootbox_id is not null)),
  check (reason <> 'lootbox' or until is null)
);
create index reservations_lootbox_id on reservations (lootbox_id) where lootbox_id is not null;

-- Ids that are not for sale. In a pattern, * stands for any number of emojis.
create table reserved_ids (
  pattern text collate "C" primary key,
  has_wildcard boolean not null generated always as (position('*' in pattern) > 0) stored,
  reason text not null,
  reserved_by uuid,
  reserved_at timestamptz not null
);
create index reserved_ids_wildcards on reserved_ids (pattern) where has_wildcard;
create index reserved_ids_reserved_at on reserved_ids (reserved_at, pattern);

-- All records of an id in one row, oldest first, as responses contain them: a lookup reads one row by
-- its key, and an edit replaces the row as a whole.
create table record_sets (
  emoji_id text collate "C" primary key references emoji_ids on delete cascade,
  records json not null,
  version bigint not null default nextval('record_versions'),
  changed_at timestamptz not null default now(),
  -- The signature of the owner's key over the merkle root of all records.
  merkle_root text,
  signer text,
  nonce text,
  signature text,
  -- By record hash: the key of the store entry that added the record. It is beside the records, so
  -- that one statement changes both, and every earlier state has its own.
  linked jsonb not null default '{}'
);
create trigger announce_insert after insert on record_sets
  referencing new table as changed for each statement execute function announce_changed_ids();
create trigger announce_update after update on record_sets
  referencing new table as changed for each statement execute function announce_changed_ids();
create trigger announce_delete after delete on record_sets
  referencing old table as changed for each statement execute function announce_changed_ids();

-- Every state of the records of an id under its present owner. The last 100 states keep their records;
-- older ones keep only the SHA-256 of the JSON text.
create table record_history (
  emoji_id text collate "C" not null references emoji_ids on delete cascade,
  version bigint not null,
  changed_at timestamptz not null,
  actor_id uuid,
  records json,
  linked jsonb not null default '{}',
  -- The version whose addresses this state restored.
  undoes bigint,
  -- An emailed link cannot undo an operator's change.
  by_operator boolean not null default false,
  records_sha256 text,
  primary key (emoji_id, version),
  constraint record_history_state check (records is not null or records_sha256 is not null)
);
-- The states that can be reduced to their hash.
create index record_history_full on record_history (emoji_id, version)
  where records is not null and records_sha256 is not null;

-- The hours for which a changed payment address of an id waits before it takes effect.
create table delay_locks (
  emoji_id text collate "C" primary key references emoji_ids on delete cascade,
  hours smallint not null check (hours between 1 and 72),
  -- A requested lower number, and the time from which it applies; 0 is off.
  next_hours smallint check (next_hours between 0 and 71),
  next_at timestamptz,
  -- Grows with every change: an emailed link names one of them.
  version bigint not null default nextval('record_versions'),
  -- The person who requested the present lock: a request ends with their access.
  asked_by uuid,
  check ((next_hours is null) = (next_at is null))
);
create index delay_locks_asked_by on delay_locks (asked_by) where next_at is not null;

-- Changes of payment records that have not taken effect; at most one per id.
create table waiting_changes (
  emoji_id text collate "C" primary key references emoji_ids on delete cascade,
  number bigint not null default nextval('record_versions'),
  removed jsonb not null,
  inserted jsonb not null,
  actor_id uuid,
  -- R and s by the key of the id, over the root that the records will have.
  signed jsonb,
  asked_at timestamptz not null,
  changes_at timestamptz not null,
  -- The hashes of the payment records in their order after the change.
  places jsonb,
  -- An emailed link cannot cancel an operator's change.
  by_operator boolean not null default false,
  -- The payment addresses that will be more recent than their places say.
  recency jsonb
);
create index waiting_changes_changes_at on waiting_changes (changes_at);
create index waiting_changes_actor_id on waiting_changes (actor_id);
-- A cached lookup expires when the change takes effect.
create trigger announce_insert after insert on waiting_changes
  referencing new table as changed for each statement execute function announce_changed_ids();
create trigger announce_update after update on waiting_changes
  referencing new table as changed for each statement execute function announce_changed_ids();
create trigger announce_delete after delete on waiting_changes
  referencing old table as changed for each statement execute function announce_changed_ids();

-- Data that owners store beside their records, by key.
create table store_entries (
  emoji_id text collate "C" not null references emoji_ids on delete cascade,
  key text not null,
  data json not null,
  is_locked boolean not null default false,
  locked_future_writes_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (emoji_id, key)
);

-- Pictures of ids. They are deleted with the store entry that requested them, or with the id.
create table pictures (
  emoji_id text collate "C" not null,
  format text not null check (format in ('png', 'gif', 'mp4', 'webm')),
  sha256 text not null,
  drawing_sha256 text not null,
  content bytea not null,
  created_at timestamptz not null,
  store_key text not null default 'VisualizerData' check (store_key = 'VisualizerData'),
  primary key (emoji_id, format),
  foreign key (emoji_id, store_key) references store_entries (emoji_id, key) on delete cascade
);
create index pictures_sha256 on pictures (sha256);
-- The content is already compressed.
alter table pictures alter column content set storage external;

-- Lookups of an id by UTC day. No foreign key: counts arrive late.
create table lookup_counts (
  emoji_id text collate "C" not null,
  day date not null,
  count bigint not null,
  -- How often the public page of the id, with its pay sheet, was opened.
  pages bigint not null default 0,
  primary key (emoji_id, day)
) with (fillfactor = 70);

-- Prices of ids by score, in US cents; the newest row is in force.
create table price_tables (
  version integer generated always as identity primary key,
  prices json not null,
  reason text not null,
  actor_id uuid not null,
  created_at timestamptz not null
);

-- Sends a notice, so that every process evicts its cached prices.
create function announce_prices() returns trigger language plpgsql as $$
begin
  perform pg_notify('prices_changed', '');
  return null;
end
$$;
create trigger announce_change after insert or update or delete on price_tables
  for each statement execute function announce_prices();

-- Ids on their way from one owner to another.
create table transfers (
  id uuid primary key default gen_random_uuid(),
  -- No foreign key: a transfer stays when the id is released.
  emoji_id text collate "C" not null,
  status text not null check (status in ('awaiting_sender', 'awaiting_receiver', 'accepted', 'closed')),
  sender_id uuid not null references users (id),
  -- Null for a transfer to the key of an organization: one of its power roles accepts it.
  recipient_id uuid references users (id),
  -- The mailbox that the sender named; empty if the sender named a key.
  email text not null,
  pubkey text,
  clear_on_transfer boolean not null,
  message text,
  -- The expected code; null if an authenticator app gives it.
  code_hmac bytea,
  code_sent_at timestamptz,
  -- Wrong codes since the state began.
  tries integer not null default 0,
  created_at timestamptz not null,
  sender_code_accepted_at timestamptz,
  accepted_at timestamptz,
  deleted_at timestamptz,
  organization_id uuid references organizations (id),
  -- The sender agreed that the recipient learns their email address.
  shows_sender boolean not null default false,
  check ((status = 'accepted') = (accepted_at is not null)),
  check (status <> 'awaiting_receiver' or sender_code_accepted_at is not null),
  check (status <> 'closed' or deleted_at is not null),
  check (status in ('accepted', 'closed') or deleted_at is null),
  check (sender_id <> recipient_id),
  check ((recipient_id is null) <> (organization_id is null))
);
-- An id has at most one open transfer.
create unique index transfers_open on transfers (emoji_id)
  where status in ('awaiting_sender', 'awaiting_receiver');
create index transfers_sender on transfers (sender_id, created_at);
create index transfers_recipient on transfers (recipient_id, created_at);
create index transfers_organization on transfers (organization_id, created_at)
  where organization_id is not null;
create index transfers_due on transfers (created_at)
  where status in ('awaiting_sender', 'awaiting_receiver');
create index transfers_emoji_id on transfers (emoji_id, created_at);
-- Emails are limited by mailbox: an address without its +tag.
create index transfers_mailbox on transfers (
  regexp_replace(lower(email), '\+[^@]*@', '@'), created_at);

-- Mint signatures: the blockchain account that may mint the id, the requester, and the expiry.
create table mint_signatures (
  emoji_id text collate "C" not null references emoji_ids (emoji_id) on delete cascade,
  account text not null,
  signed_by uuid not null references users (id),
  signed_at timestamptz not null,
  until timestamptz not null,
  primary key (emoji_id, account)
);

-- Reports of abuse of registered ids. Address and network of the reporter are removed with the
-- decision.
create table abuse_reports (
  id uuid primary key default gen_random_uuid(),
  emoji_id text collate "C" not null,
  -- The owner at the time of the report; null for an organization or a key without an account.
  owner_id uuid references users (id),
  category text not null check (category in ('scam', 'impersonation', 'offensive', 'illegal', 'other')),
  text text not null,
  -- Copies of a text about one id are folded into one report.
  text_hash bytea not null,
  email text,
  network text,
  times integer not null default 1,
  created_at timestamptz not null,
  last_at timestamptz not null,
  decision text check (decision in ('no_action', 'suspended', 'other')),
  note text,
  reason text,
  decided_at timestamptz,
  decided_by uuid references users (id),
  -- The last texts of reports that were folded into this one, oldest first.
  folded_texts jsonb not null default '[]',
  check ((decided_at is null) = (decision is null)),
  check (decided_at is null or (email is null and network is null))
);
create unique index abuse_reports_open_text on abuse_reports (emoji_id, text_hash) where decided_at is null;
create index abuse_reports_emoji_id on abuse_reports (emoji_id, created_at);
create index abuse_reports_created_at on abuse_reports (created_at, id);
create index abuse_reports_last_at on abuse_reports (last_at, id);
create index abuse_reports_times on abuse_reports (times, id);
create index abuse_reports_open on abuse_reports (created_at, id) where decided_at is null;
create index abuse_reports_decided_at on abuse_reports (decided_at) where decided_at is not null;
create index abuse_reports_owner_id on abuse_reports (owner_id);
