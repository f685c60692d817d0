-- The card that the buyer chose as the default. The payment provider keeps the cards themselves.
alter table payment_customers add column default_payment_method text;

-- The saved card that an attempt charges; null: the buyer gives a card to the provider.
alter table payment_attempts add column payment_method text;

-- Partners list their sales, the newest first.
create index orders_organization on orders (organization_id, created_at, id)
  where organization_id is not null;
