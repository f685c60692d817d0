-- Gmail ignores dots in the name of a mailbox, and googlemail.com is the same domain.
create function fold_mailbox(address text) returns text language sql immutable strict
  return case when lower(address) ~ '@(gmail|googlemail)\.com$'
    then replace(regexp_replace(split_part(lower(address), '@', 1), '\+.*', ''), '.', '')
      || '@gmail.com'
    else address end;

-- The address as written and its folded form: the addresses behind older hashes may be gone.
create function hash_mailbox_forms(address text) returns bytea[] language sql immutable strict
  return array[hash_mailbox(address), hash_mailbox(fold_mailbox(address))];

create or replace function store_verified_mailbox() returns trigger language plpgsql as $$
begin
  if new.email is not null and new.email_verified_at is not null then
    insert into verified_mailboxes (user_id, mailbox_sha256)
      select new.id, unnest(hash_mailbox_forms(new.email)) on conflict do nothing;
  elsif tg_op = 'UPDATE' and old.email_verified_at is not null and new.email = old.email then
    -- The owner of the mailbox disowned the account.
    delete from verified_mailboxes
      where user_id = new.id and mailbox_sha256 = any (hash_mailbox_forms(new.email));
  end if;
  return null;
end $$;

insert into verified_mailboxes (user_id, mailbox_sha256)
  select id, hash_mailbox(fold_mailbox(email)) from users
  where email is not null and email_verified_at is not null
  on conflict do nothing;
insert into removed_mailboxes (user_id, mailbox_sha256)
  select id, hash_mailbox(fold_mailbox(email)) from users join removed_people on user_id = id
  where email is not null and email_verified_at is not null
  on conflict do nothing;

-- People who deleted their account while an id of theirs was reported or suspended. Until then
-- operators can bar them by the hashes of their mailboxes and the fingerprints of their cards.
create table retained_people (
  user_id uuid primary key references users (id),
  until timestamptz not null
);
create index retained_people_until on retained_people (until);
