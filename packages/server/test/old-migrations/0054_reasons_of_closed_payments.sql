-- Why a payment was refunded or released instead of buying the order; null for any other attempt.
alter table payment_attempts add column close_reason text
  check (close_reason in ('barred_card', 'removed_buyer', 'closed_order', 'risen_price'));
create index payment_attempts_late_order_id on payment_attempts (late_order_id)
  where late_order_id is not null;
