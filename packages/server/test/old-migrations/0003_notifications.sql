-- Mails and text messages on their way. Who gets what is sealed, and gone once the message is.
create table messages (
  id uuid primary key,
  channel text not null check (channel in ('mail', 'sms')),
  template text not null,
  sealed text,
  status text not null default 'queued' check (status in ('queued', 'sent', 'failed')),
  attempts integer not null default 0,
  -- Why the last attempt failed, as a code: never what the other side said.
  last_error text,
  created_at timestamptz not null,
  give_up_at timestamptz not null,
  finished_at timestamptz,
  check ((status = 'queued') = (sealed is not null)),
  check ((status = 'queued') = (finished_at is null))
);
create index messages_finished_at on messages (finished_at);
create index messages_give_up_at on messages (give_up_at) where status = 'queued';
