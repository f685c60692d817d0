-- The person with whose account an id was suspended. It may be the only active power role of the
-- organization that owns the id. Activating the account restores the id.
alter table emoji_ids add column suspended_with_user uuid references users (id);
update emoji_ids set suspended_with_user = keys.user_id
  from keys where keys.pubkey = emoji_ids.pubkey and suspended_with_owner;
create index emoji_ids_suspended_with_user on emoji_ids (suspended_with_user)
  where suspended_with_user is not null;

-- Every mailbox that an account verified, also former ones. Only hashes: a removed person is barred
-- from all of them.
create table verified_mailboxes (
  user_id uuid not null references users (id),
  mailbox_sha256 bytea not null,
  primary key (user_id, mailbox_sha256)
);

create function hash_mailbox(address text) returns bytea language sql immutable strict
  return sha256(convert_to(regexp_replace(lower(address), '\+[^@]*@', '@'), 'UTF8'));

-- A trigger, so that no statement that verifies or replaces an address can skip it.
create function store_verified_mailbox() returns trigger language plpgsql as $$
begin
  if new.email is not null and new.email_verified_at is not null then
    insert into verified_mailboxes (user_id, mailbox_sha256)
      values (new.id, hash_mailbox(new.email)) on conflict do nothing;
  elsif tg_op = 'UPDATE' and old.email_verified_at is not null and new.email = old.email then
    -- The owner of the mailbox disowned the account.
    delete from verified_mailboxes
      where user_id = new.id and mailbox_sha256 = hash_mailbox(new.email);
  end if;
  return null;
end $$;
create trigger users_verified_mailbox after insert or update of email, email_verified_at on users
  for each row execute function store_verified_mailbox();

insert into verified_mailboxes (user_id, mailbox_sha256)
  select id, hash_mailbox(email) from users
  where email is not null and email_verified_at is not null;
