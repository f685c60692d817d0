-- Failures are counted per name and network; a reset clears all that is counted for the name.
alter table login_failures add column name bytea;
create index login_failures_name on login_failures (name) where name is not null;
