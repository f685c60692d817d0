-- Who changed which member of an organization, for as long as a mailed notice can take it back. A role
-- is null for a user who is no member.
create table organization_member_changes (
  id bigint generated always as identity primary key,
  organization_id uuid not null references organizations (id) on delete cascade,
  user_id uuid not null references users (id),
  changed_by uuid,
  role_before text check (role_before in ('OrgMember', 'OrgController', 'OrgOwner')),
  role_after text check (role_after in ('OrgMember', 'OrgController', 'OrgOwner')),
  changed_at timestamptz not null
);
create index organization_member_changes_organization_id
  on organization_member_changes (organization_id, changed_at);
create index organization_member_changes_user_id on organization_member_changes (user_id);
