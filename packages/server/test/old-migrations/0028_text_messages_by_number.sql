-- Text messages cost money: they are limited by number, network, country and day too.
-- Rows stay when their account is deleted, so that a new account does not start at zero.
alter table sms_sendings
  add column phone_hmac bytea,
  add column network text,
  add column country text,
  add column purpose text,
  add column has_email boolean;
create index sms_sendings_at on sms_sendings (at);
