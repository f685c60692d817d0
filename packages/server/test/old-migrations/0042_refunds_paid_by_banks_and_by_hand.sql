-- What a bank paid of a refund by deciding a dispute for the buyer. The rest is sent, or paid by hand.
alter table refunds add column by_bank_in_cents bigint not null default 0
  check (by_bank_in_cents between 0 and amount_in_cents);
update refunds set by_bank_in_cents = refunds.amount_in_cents
from disputes
where refunds.status = 'done' and refunds.reference = disputes.reference
  and refunds.payment_id = disputes.payment_id;

-- An operator paid it: its reference is the operator's word, and no name that a provider knows.
alter table refunds add column is_given_by_hand boolean not null default false;
update refunds set is_given_by_hand = true
from audit_entries
where audit_entries.event = 'order.refund_given' and refunds.status = 'done'
  and audit_entries.details ->> 'refund_id' = refunds.id::text
  and audit_entries.details ->> 'reference' = refunds.reference;

-- Money that a bank took pays a refund that failed later: a positive entry takes it off the dispute.
alter table ledger_entries drop constraint ledger_entries_check;
alter table ledger_entries add constraint ledger_entries_check check (
  case
    when kind in ('refund', 'misc_refund') then amount_in_cents < 0
    when kind = 'dispute' then amount_in_cents <> 0
    else amount_in_cents > 0
  end);
