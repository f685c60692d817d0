-- Where a buyer says which address a refund goes to. Whoever knows it gets the money: it is sealed.
alter table refunds add column sealed_claim text;
