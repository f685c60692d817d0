-- The payment records in their order after a waiting change, as hashes. Null in changes that were
-- requested before this column existed: their new records come last.
alter table waiting_changes add column places jsonb;

-- How an id came into the directory; a transfer does not change it.
alter table emoji_ids add column origin text not null default 'Grant'
  check (origin in ('Purchase', 'LootBox', 'Grant'));
update emoji_ids set origin = case when bought_at is not null then 'Purchase' else 'LootBox' end
  where bought_at is not null or order_id is not null
    or display_format in (select unnest(yats) from lootboxes where status = 'Used');
