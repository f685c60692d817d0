-- The numbers of tokens, given when an id is first to be minted.
create sequence token_ids as bigint;

-- Until then somebody may mint the id with a signature of ours, so that it stays where it is.
alter table emoji_ids add column signed_until timestamptz;
