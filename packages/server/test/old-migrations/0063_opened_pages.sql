-- How often the public page of an id, with its payment sheet, was opened on a UTC day.
alter table lookup_counts add column pages bigint not null default 0;
