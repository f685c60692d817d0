-- The sender of a transfer agreed that the recipient learns their email address.
alter table transfers add column shows_sender boolean not null default false;
