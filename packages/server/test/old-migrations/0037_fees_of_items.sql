-- What of a discount comes off the partner's fee on its item: all of it if the code is limited to
-- the fee, else the share that the fee has in the price.
alter table order_items
  add column client_fee_cut_in_cents integer not null default 0 check (client_fee_cut_in_cents >= 0);

update order_items discount
set client_fee_cut_in_cents = case
  when exists (select from codes where codes.id = discount.code_id and codes.limited_to_fee)
    then least(-discount.unit_price_in_cents, item.client_fee_in_cents)
  else ceil(item.client_fee_in_cents::numeric * -discount.unit_price_in_cents
    / (item.unit_price_in_cents + item.client_fee_in_cents + item.company_fee_in_cents))
  end
from order_items item
where item.id = discount.parent_id and item.client_fee_in_cents > 0;

-- Whether the fee of the order's partner is on it: not if it was in the cart before the partner.
alter table order_items add column bears_client_fee boolean not null default true;
update order_items set bears_client_fee = false
from orders where orders.id = order_items.order_id and orders.organization_id is null;
