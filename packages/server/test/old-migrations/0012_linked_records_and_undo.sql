-- By hash: the key of the store entry that a record came with. It stands beside the records, so that
-- whatever changes them changes it in the same moment, and every earlier state has its own.
alter table record_sets add column linked jsonb not null default '{}';
alter table record_history
  add column linked jsonb not null default '{}',
  -- The version whose addresses this state put back.
  add column undoes bigint;

update record_sets as r
  set linked = (
    select coalesce(jsonb_object_agg(hash, entry.key), '{}')
    from store_entries as entry, unnest(entry.linked_hashes) as hash
    where entry.emoji_id = r.emoji_id
      and hash in (select record ->> 'hash' from json_array_elements(r.records) as record)
  );
update record_history as h
  set linked = r.linked
  from record_sets as r
  where h.emoji_id = r.emoji_id and h.version = r.version;
alter table store_entries drop column linked_hashes;
