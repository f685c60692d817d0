-- When the person behind a session last showed who they are; refreshing or going on elsewhere does not count.
alter table sessions add column logged_in_at timestamptz;
update sessions set logged_in_at = created_at;
alter table sessions alter column logged_in_at set not null;

-- When and from where a key was last used, to the minute.
alter table api_keys
  add column last_used_at timestamptz,
  add column last_used_network text,
  add column last_used_agent text;

-- Second factors that are removed after a wait, since their owner has lost them; one per user.
create table second_factor_recoveries (
  user_id uuid primary key references users (id),
  asked_at timestamptz not null,
  ends_at timestamptz not null
);
create index second_factor_recoveries_ends_at on second_factor_recoveries (ends_at);
