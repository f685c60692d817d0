-- Failed and slow tries since the last quick success. An endpoint with more than two shares its
-- connections with other slow and failing endpoints.
alter table webhook_endpoints add column setbacks integer not null default 0;
update webhook_endpoints set setbacks = 3 where failures > 2;
