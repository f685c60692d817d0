-- One hash names a request: with the path in the primary key, a caller chose the size of a row, and a long path was a 500.
-- Rows of callers without an account are no longer found, since their network is unknown. Only registrations have such
-- callers.
alter table idempotency_keys
  drop constraint idempotency_keys_pkey,
  alter column key type bytea
    using sha256(convert_to(concat_ws(E'\n', caller, method, path, key), 'UTF8'));
alter table idempotency_keys rename column key to name_sha256;
alter table idempotency_keys
  drop column caller,
  drop column method,
  drop column path,
  add primary key (name_sha256);
