-- What operators find things by, in lower case and in one text each: read through, it is quicker
-- than its parts; and whatever has three characters is found by an index of all groups of three.
-- The extension is there by now: starting has seen to it, or said why it cannot.
-- Few new rows wait to be sorted into an index: nobody who signs up sorts in those of thousands.

alter table users add column searchable text not null generated always as (
  lower(id::text || coalesce(' ' || email, '') || coalesce(' ' || first_name, '')
    || coalesce(' ' || last_name, '') || coalesce(' ' || alternate_id, ''))) stored;
create index users_searchable on users using gin (searchable gin_trgm_ops)
  with (gin_pending_list_limit = 256);

-- Nothing that is typed into one line is found across name and code.
alter table codes add column searchable text not null generated always as (
  lower(name || coalesce(E'\n' || redemption_code, ''))) stored;
create index codes_searchable on codes using gin (searchable gin_trgm_ops)
  with (gin_pending_list_limit = 256);

-- All of these are in lower case already.
alter table lootboxes add column searchable text not null generated always as (
  id::text || ' ' || seed_hash || coalesce(' ' || owner_email, '')) stored;
create index lootboxes_searchable on lootboxes using gin (searchable gin_trgm_ops)
  with (gin_pending_list_limit = 256);
