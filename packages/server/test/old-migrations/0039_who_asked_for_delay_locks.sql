-- Who asked for the lock as it is: what somebody began ends with their access.
alter table delay_locks add column asked_by uuid;
create index delay_locks_asked_by on delay_locks (asked_by) where next_at is not null;
create index waiting_changes_actor_id on waiting_changes (actor_id);
