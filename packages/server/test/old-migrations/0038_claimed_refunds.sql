-- When the money of a refund left for the buyer. Where the buyer has to claim it, that is later than
-- `done_at`, which is when they were told where; the provider is asked now and then.
alter table refunds add column paid_out_at timestamptz, add column claim_asked_at timestamptz;
update refunds set paid_out_at = done_at where status = 'done' and sealed_claim is null;
create index refunds_unclaimed on refunds (claim_asked_at nulls first)
  where status = 'done' and paid_out_at is null;
