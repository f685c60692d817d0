-- The grace time of a rotated refresh token ends with the first use of its successor.
alter table refresh_tokens add column used_at timestamptz;
