-- The proof of a lootbox counts the boxes of its type.
create index lootboxes_type on lootboxes (lootbox_type_id) where lootbox_type_id is not null;

-- The account that holds the token of a minted id, as the chain was last reported.
alter table emoji_ids add column token_account text;
