-- The card is only authorized, and captured once it is known: an account that used the card of a
-- removed person before.
alter table payment_attempts add column is_capture_manual boolean not null default false;

-- The last texts of reports that were folded into this one, oldest first.
alter table abuse_reports add column folded_texts jsonb not null default '[]';

-- The operator who suspended the id.
alter table emoji_ids add column suspended_by uuid references users (id);
create index emoji_ids_suspended_by on emoji_ids (suspended_by) where suspended_by is not null;
update emoji_ids set suspended_by = (
    select actor_id from audit_entries
    where event = 'emoji_id.suspended' and details ->> 'emoji_id' = emoji_ids.emoji_id
    order by id desc limit 1
  )
  where suspended_at is not null;
