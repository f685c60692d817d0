-- Boxes of a type that an operator deleted unopened: buyers see how many were thrown away.
alter table lootbox_types add column discarded_boxes integer not null default 0;
