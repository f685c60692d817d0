-- Versions of record sets come from one sequence: they grow for ever, also when an id is sold again.
create sequence record_versions as bigint;

-- Who has an id. The key is the canonical format: equal ids are equal rows.
create table emoji_ids (
  emoji_id text collate "C" primary key,
  display_format text not null,
  -- The version of the alphabet when the id was acquired.
  generation smallint not null,
  token_id bigint unique,
  minted boolean not null default false,
  version bigint not null default nextval('record_versions'),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- All records of an id in one row, oldest first, in the form in which they are answered: a lookup
-- is one row read by its key, and an edit replaces the row as a whole.
create table record_sets (
  emoji_id text collate "C" primary key references emoji_ids on delete cascade,
  records json not null,
  version bigint not null default nextval('record_versions'),
  changed_at timestamptz not null default now()
);

-- What owners keep beside their records, by key.
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

-- How often an id was looked up, by UTC day. No reference: counts arrive late and are no one's property.
create table lookup_counts (
  emoji_id text collate "C" not null,
  day date not null,
  count bigint not null,
  primary key (emoji_id, day)
) with (fillfactor = 70);

-- Whoever changes what an id shows, by whatever statement, tells every process that remembers it.
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
create trigger announce_insert after insert on record_sets
  referencing new table as changed for each statement execute function announce_changed_ids();
create trigger announce_update after update on record_sets
  referencing new table as changed for each statement execute function announce_changed_ids();
create trigger announce_delete after delete on record_sets
  referencing old table as changed for each statement execute function announce_changed_ids();
