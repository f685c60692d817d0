-- A suspended id refuses every lookup and every change until an operator restores it.
alter table emoji_ids
  add column suspended_at timestamptz,
  add column suspension_reason text,
  -- True if it was suspended because the account of its owner was deactivated.
  add column suspended_with_owner boolean not null default false;
create index emoji_ids_suspended_at on emoji_ids (suspended_at) where suspended_at is not null;

-- An operator's change cannot be undone or cancelled by a mailed link.
alter table record_history add column by_operator boolean not null default false;
alter table waiting_changes add column by_operator boolean not null default false;
