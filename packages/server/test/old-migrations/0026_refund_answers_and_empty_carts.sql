-- What became of a buyer's wish for their money: when it was answered, and why it was declined.
alter table orders
  add column refund_answered_at timestamptz,
  add column refund_declined text,
  add check (refund_declined is null or refund_answered_at is not null);

-- Until now it was answered by whatever was given back after it.
update orders set refund_answered_at = (
  select min(given_at) from (
    select created_at as given_at from refunds where refunds.order_id = orders.id
    union all
    select updated_at from order_items
      where order_items.order_id = orders.id and refunded_quantity > 0) as given
  where given_at >= refund_requested_at)
where refund_requested_at is not null;

-- Whoever looks at their cart has one: the empty ones are no news to operators, who read orders and
-- their count from this index instead of looking for the items of each.
alter table orders add column is_filled boolean not null default false;
update orders set is_filled = true
where exists (select from order_items where order_items.order_id = orders.id);
create index orders_filled on orders (created_at, id) where status <> 'Draft' or is_filled;
