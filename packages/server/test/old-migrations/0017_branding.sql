-- What partner pages show of an organization, and where they lead back to.
create table brandings (
  organization_id uuid primary key references organizations (id) on delete cascade,
  return_link text not null,
  currencies text[] not null,
  requires_email boolean not null,
  logo text,
  logo_small text,
  logo_thumbnail text,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
