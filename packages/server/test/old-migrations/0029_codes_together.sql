-- Whether operators let the code be used together with other codes.
alter table codes add column combinable boolean not null default false;

-- Whether a partner set its terms: then it takes off at most the partner's fee on the order.
alter table codes add column limited_to_fee boolean not null default false;
alter table codes add check (not limited_to_fee or organization_id is not null);

-- Codes of partners whose terms no operator wrote last.
update codes set limited_to_fee = true
where organization_id is not null
  and not exists (
    select from (
      select distinct on (details ->> 'code_id') details ->> 'code_id' as code_id, actor_id
      from audit_entries
      where event in ('code.created', 'code.changed')
      order by details ->> 'code_id', id desc
    ) written
    join users on users.id = written.actor_id
    where written.code_id = codes.id::text and users.role in ('Admin', 'Super')
  );
