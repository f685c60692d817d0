-- An owner has duties: the last one cannot leave. They begin when the person accepts to be owner, not
-- when another owner raises their role. Owners from before who accepted their membership count.
alter table organization_members add column owner_accepted_at timestamptz;
update organization_members set owner_accepted_at = accepted_at where role = 'OrgOwner';

-- When the former role was accepted, so that a reverted change restores it.
alter table organization_member_changes add column owner_accepted_at timestamptz;
update organization_member_changes set owner_accepted_at = accepted_at where role_before = 'OrgOwner';
