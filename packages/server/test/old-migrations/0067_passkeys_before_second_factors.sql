-- When the owner allowed a passkey to take the place of a code. Null: it only takes the place of the
-- password, because it is older than the second factor.
alter table passkeys add column confirmed_at timestamptz;
update passkeys set confirmed_at = created_at
where created_at > (select min(confirmed_at) from second_factors
                    where second_factors.user_id = passkeys.user_id);
