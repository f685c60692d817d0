-- Who wants to be mailed when an id becomes free. No reference to the id: most wanted ones come and go.
create table interests (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id),
  emoji_id text collate "C" not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- When the mail was queued; there is only one.
  notified_at timestamptz,
  unique (user_id, emoji_id)
);
create index interests_awaiting on interests (emoji_id, created_at) where notified_at is null;
