-- Text messages that a stranger requests with a stolen password leave some for the owner.
alter table second_factors
  -- The network of the last accepted code.
  add column last_network text;
alter table sms_sendings
  -- Requested from that network.
  add column is_known boolean not null default false;
