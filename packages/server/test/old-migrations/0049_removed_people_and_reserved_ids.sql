-- Ids that are not for sale. In a pattern, * stands for any number of emojis.
create table reserved_ids (
  pattern text collate "C" primary key,
  has_wildcard boolean not null generated always as (position('*' in pattern) > 0) stored,
  reason text not null,
  reserved_by uuid,
  reserved_at timestamptz not null
);
create index reserved_ids_wildcards on reserved_ids (pattern) where has_wildcard;
create index reserved_ids_reserved_at on reserved_ids (reserved_at, pattern);

-- People whose accounts operators deactivated. They cannot buy with another account.
create table removed_people (
  user_id uuid primary key references users (id),
  removed_at timestamptz not null
);
-- A hash, so that the mailbox stays unreadable after the account is deleted.
create table removed_mailboxes (
  mailbox_sha256 bytea not null,
  user_id uuid not null references removed_people (user_id) on delete cascade,
  primary key (mailbox_sha256, user_id)
);
create index removed_mailboxes_user_id on removed_mailboxes (user_id);
-- The cards that a user paid with, by the fingerprint of the card provider.
create table card_fingerprints (
  fingerprint text collate "C" not null,
  user_id uuid not null references users (id),
  seen_at timestamptz not null,
  primary key (fingerprint, user_id)
);
create index card_fingerprints_user_id on card_fingerprints (user_id);

insert into removed_people (user_id, removed_at)
  select id, deactivated_at from users where deactivated_at is not null and deleted_at is null;
insert into removed_mailboxes (mailbox_sha256, user_id)
  select sha256(convert_to(regexp_replace(lower(email), '\+[^@]*@', '@'), 'UTF8')), id
  from users join removed_people on user_id = id
  where email is not null and email_verified_at is not null;
