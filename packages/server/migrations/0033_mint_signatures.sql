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
