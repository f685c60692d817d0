-- Who may mint an id with a signature of ours, by whose wish, and until when.
create table mint_signatures (
  emoji_id text collate "C" not null references emoji_ids (emoji_id) on delete cascade,
  account text not null,
  signed_by uuid not null references users (id),
  signed_at timestamptz not null,
  until timestamptz not null,
  primary key (emoji_id, account)
);

-- What operators list.
create index emoji_ids_tokens on emoji_ids (token_id) where token_id is not null;

-- Mails are limited by mailbox: an address without its +tag.
create index links_mailbox on links (
  regexp_replace(lower(data ->> 'email'), '\+[^@]*@', '@'), created_at);
create index transfers_mailbox on transfers (
  regexp_replace(lower(email), '\+[^@]*@', '@'), created_at);
