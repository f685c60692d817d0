-- The last 100 states of an id keep their records. Older ones keep only the SHA-256 of the JSON text.
-- States from before this migration have no hash and keep their records.
alter table record_history
  alter column records drop not null,
  add column records_sha256 text,
  add constraint record_history_state check (records is not null or records_sha256 is not null);
-- The states that can be reduced to their hash.
create index record_history_full on record_history (emoji_id, version)
  where records is not null and records_sha256 is not null;
