-- How many notices went to a mailbox that nobody confirmed, and because of one network, by the hash
-- of either: they may be mails to strangers.
create table notice_counts (
  subject bytea primary key,
  sent integer not null,
  since timestamptz not null
);
create index notice_counts_since on notice_counts (since);
