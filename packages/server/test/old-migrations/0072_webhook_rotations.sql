-- A second rotation within a day keeps the secret before the previous one until its own end.
alter table webhook_endpoints
  add column sealed_older text,
  add column older_until timestamptz,
  add check ((sealed_older is null) = (older_until is null));
