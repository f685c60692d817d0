-- Each process that reads from a replica writes its own row here, again and again, on the primary.
-- A replica that shows a beat has everything that was committed before that beat was sent.
create table replica_beats (
  process_id uuid primary key,
  beat bigint not null,
  beaten_at timestamptz not null default now()
) with (fillfactor = 50);
