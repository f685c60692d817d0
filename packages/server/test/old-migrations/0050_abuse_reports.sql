-- Reports of abuse about registered ids. Address and network of the reporter are removed with the
-- decision.
create table abuse_reports (
  id uuid primary key default gen_random_uuid(),
  emoji_id text collate "C" not null,
  -- The owner at the time of the report; null for an organization or a key without an account.
  owner_id uuid references users (id),
  category text not null check (category in ('scam', 'impersonation', 'offensive', 'illegal', 'other')),
  text text not null,
  -- Copies of a text about one id are folded into one report.
  text_hash bytea not null,
  email text,
  network text,
  times integer not null default 1,
  created_at timestamptz not null,
  last_at timestamptz not null,
  decision text check (decision in ('no_action', 'suspended', 'other')),
  note text,
  reason text,
  decided_at timestamptz,
  decided_by uuid references users (id),
  check ((decided_at is null) = (decision is null)),
  check (decided_at is null or (email is null and network is null))
);
create unique index abuse_reports_open_text on abuse_reports (emoji_id, text_hash) where decided_at is null;
create index abuse_reports_emoji_id on abuse_reports (emoji_id, created_at);
create index abuse_reports_created_at on abuse_reports (created_at, id);
create index abuse_reports_last_at on abuse_reports (last_at, id);
create index abuse_reports_times on abuse_reports (times, id);
create index abuse_reports_open on abuse_reports (created_at, id) where decided_at is null;
create index abuse_reports_decided_at on abuse_reports (decided_at) where decided_at is not null;
create index abuse_reports_owner_id on abuse_reports (owner_id);
