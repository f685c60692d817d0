-- The id of a refund's claim page takes the money: only the sealed link has it from now on.
update refunds set reference = null where sealed_claim is not null;

-- Stored responses are sealed from now on. Earlier ones are repeated no more.
update idempotency_keys set body = null where body is not null;

-- The texts of promo codes are sealed, and found by an HMAC. The next start seals the present ones.
alter table codes drop column searchable;
alter table codes
  add column code_hmac bytea,
  add column sealed_code text,
  add column searchable text not null generated always as (lower(name)) stored,
  drop constraint codes_check2,
  add check ((activator = 'RedemptionCode') = (num_nonnulls(redemption_code, sealed_code) = 1)),
  add check ((code_hmac is null) = (sealed_code is null));
create index codes_searchable on codes using gin (searchable gin_trgm_ops)
  with (gin_pending_list_limit = 256);
create unique index codes_code_hmac on codes (code_hmac) where deleted_at is null;
-- Operators find deleted codes too.
create index codes_by_hmac on codes (code_hmac);

-- The audit log repeated the texts.
alter table audit_entries disable trigger audit_entries_only_added;
update audit_entries set details = details - 'redemption_code'
  where event in ('code.created', 'code.changed') and details ? 'redemption_code';
alter table audit_entries enable trigger audit_entries_only_added;
