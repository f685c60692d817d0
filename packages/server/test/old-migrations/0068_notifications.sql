-- What the notification centre of an account shows: one row per email about an event, and one per
-- sign-in from a new browser. Never holds codes, tokens or one-time links.
create table notifications (
  id uuid primary key default gen_random_uuid(),
  -- No foreign key: its lock would let two people who are notified of each other's acts wait forever.
  user_id uuid not null,
  kind text not null,
  title text not null check (length(title) <= 200),
  text text not null check (length(text) <= 1000),
  -- The page of the web app where the user can act.
  page text not null check (length(page) <= 500),
  created_at timestamptz not null,
  read_at timestamptz
);
create index notifications_of_account on notifications (user_id, created_at desc, id desc);
create index unread_notifications on notifications (user_id) where read_at is null;
create index notifications_created_at on notifications (created_at);
