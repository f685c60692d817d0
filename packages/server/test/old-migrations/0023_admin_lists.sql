-- What operators look for among a hundred thousand orders and more entries of the log.
create index orders_number on orders (right(id::text, 8));
create index orders_status on orders (status, created_at, id);
create index orders_refund_requested on orders (created_at, id) where refund_requested_at is not null;
create index audit_entries_event on audit_entries (event, id);
