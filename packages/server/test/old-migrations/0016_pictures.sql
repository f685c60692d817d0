-- Pictures that we drew of ids. They hang on the store entry that asked for them: whatever removes the
-- entry, or the id, removes them in the same moment.
create table pictures (
  emoji_id text collate "C" not null,
  format text not null check (format in ('png', 'gif', 'mp4', 'webm')),
  sha256 text not null,
  drawing_sha256 text not null,
  content bytea not null,
  created_at timestamptz not null,
  store_key text not null default 'VisualizerData' check (store_key = 'VisualizerData'),
  primary key (emoji_id, format),
  foreign key (emoji_id, store_key) references store_entries (emoji_id, key) on delete cascade
);
create index pictures_sha256 on pictures (sha256);

-- They are compressed already.
alter table pictures alter column content set storage external;
