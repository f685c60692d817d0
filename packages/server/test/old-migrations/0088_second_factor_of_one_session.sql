-- A set-up belongs to the session that asked for it: another session neither confirms nor replaces it.
-- Set-ups last 15 minutes, so open ones begin again.
delete from second_factor_setups;
alter table second_factor_setups
  drop constraint second_factor_setups_pkey,
  add column session_id uuid primary key references sessions (id) on delete cascade;
create index second_factor_setups_user_id on second_factor_setups (user_id);

-- Codes are now bound to their phone too.
delete from sms_codes;
