-- How long an account kept an id or a lootbox from other buyers without paying for it. Rows outlive
-- the cart and its items: emptying or deleting a cart does not give the time back.
create table hold_times (
  id bigint generated always as identity primary key,
  user_id uuid not null references users (id),
  held text collate "C" not null,
  order_id uuid not null,
  began_at timestamptz not null,
  ended_at timestamptz not null
);
create index hold_times_user on hold_times (user_id, held);
create index hold_times_order on hold_times (order_id);
create index hold_times_ended_at on hold_times (ended_at);

-- Whether all that an attempt asks for was seen while its ids were held: then it buys at that price,
-- however late it is confirmed.
alter table payment_attempts add column seen_in_hold boolean not null default false;

-- The addresses that a buyer was shown. Paid orders go on showing them; what is secret stays sealed
-- until the attempt is closed.
alter table payment_attempts add column methods json not null default '[]';
