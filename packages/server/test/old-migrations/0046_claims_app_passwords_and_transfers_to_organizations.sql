-- The epoch that the first mailed link of an account revoked, for the session that began with that link.
alter table sessions add column claimed_epoch integer;

-- An app made the password when it registered the account by an alternate id: no person chose it.
alter table users add column password_by_app boolean not null default false;
update users set password_by_app = true
where alternate_id is not null and email is null and password_hash is not null
  and not exists (
    select from audit_entries
    where event = 'password.set' and actor_id = users.id
      or event = 'account.changed' and subject_id = users.id and details ->> 'password' = 'true'
  );

-- A transfer to the key of an organization has no recipient of its own: a power role accepts it.
alter table transfers alter column recipient_id drop not null;
alter table transfers add column organization_id uuid references organizations (id);
alter table transfers add check ((recipient_id is null) <> (organization_id is null));
create index transfers_organization on transfers (organization_id, created_at)
  where organization_id is not null;
