-- Ids on their way from one owner to another.
create table transfers (
  id uuid primary key default gen_random_uuid(),
  -- No reference: what became of it is remembered although the id may be given back.
  emoji_id text collate "C" not null,
  status text not null check (status in ('awaiting_sender', 'awaiting_receiver', 'accepted', 'closed')),
  sender_id uuid not null references users (id),
  recipient_id uuid not null references users (id),
  -- As it was addressed: to a mailbox, or to a key and then empty.
  email text not null,
  pubkey text,
  clear_on_transfer boolean not null,
  message text,
  -- The code that is waited for; nothing while an authenticator app is asked instead.
  code_hmac bytea,
  code_sent_at timestamptz,
  -- Wrong codes since the state began.
  tries integer not null default 0,
  created_at timestamptz not null,
  sender_code_accepted_at timestamptz,
  accepted_at timestamptz,
  deleted_at timestamptz,
  check ((status = 'accepted') = (accepted_at is not null)),
  check (status <> 'awaiting_receiver' or sender_code_accepted_at is not null),
  check (status <> 'closed' or deleted_at is not null),
  check (status in ('accepted', 'closed') or deleted_at is null),
  check (sender_id <> recipient_id)
);
-- An id is on one way only.
create unique index transfers_open on transfers (emoji_id)
  where status in ('awaiting_sender', 'awaiting_receiver');
create index transfers_sender on transfers (sender_id, created_at);
create index transfers_recipient on transfers (recipient_id, created_at);
create index transfers_due on transfers (created_at)
  where status in ('awaiting_sender', 'awaiting_receiver');
