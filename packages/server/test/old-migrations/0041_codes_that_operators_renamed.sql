-- 0029 took every code of a partner that an operator changed last as one whose discount the operator
-- set, and left it unlimited. What counts is who set the discount: operators who merely renamed a
-- code, or changed its dates, allowed nothing. Codes of which nothing is known stay as they are.
with told as (
  select id, event, actor_id, details ->> 'code_id' as code_id,
    jsonb_build_array(details -> 'discount_as_percentage', details -> 'discount_in_cents') as discount
  from audit_entries
  where event in ('code.created', 'code.changed')
), compared as (
  select told.*, lag(discount) over (partition by code_id order by id) as before
  from told
), setters as (
  select distinct on (code_id) code_id, actor_id
  from compared
  where event = 'code.created' or discount is distinct from before
  order by code_id, id desc
)
update codes set limited_to_fee = true
from setters join users on users.id = setters.actor_id
where setters.code_id = codes.id::text
  and codes.organization_id is not null
  and not codes.limited_to_fee
  and users.role not in ('Admin', 'Super');
