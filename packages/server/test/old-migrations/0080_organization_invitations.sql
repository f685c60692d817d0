-- Membership begins with the person's acceptance. Null: an operator placed the member, who has not
-- accepted yet. Members from before count as accepted.
alter table organization_members add column accepted_at timestamptz;
update organization_members set accepted_at = created_at;

-- When the former membership was accepted, so that a reverted change restores it.
alter table organization_member_changes add column accepted_at timestamptz;
update organization_member_changes set accepted_at = changed_at where role_before is not null;

-- Invitations are addressed to a mailbox, never to an account: the organization must not learn
-- whether the account exists. Ended ones count towards the limits until a job deletes them.
create table organization_invitations (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null references organizations (id) on delete cascade,
  email text not null,
  role text not null check (role in ('OrgMember', 'OrgController', 'OrgOwner')),
  invited_by uuid not null references users (id),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  accepted_by uuid references users (id)
);
create unique index organization_invitations_open
  on organization_invitations (organization_id, lower(email)) where ended_at is null;
create index organization_invitations_email on organization_invitations (lower(email));
create index organization_invitations_organization
  on organization_invitations (organization_id, created_at);
create index organization_invitations_invited_by on organization_invitations (invited_by);
create index organization_invitations_accepted_by on organization_invitations (accepted_by);
create index organization_invitations_created_at on organization_invitations (created_at);
