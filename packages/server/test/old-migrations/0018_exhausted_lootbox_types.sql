-- A type whose ids ran out draws no more: the boxes that could still be filled would not have its odds.
alter table lootbox_types add column exhausted_at timestamptz;
