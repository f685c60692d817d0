-- A waiting change tells which payment addresses will be more recent than their places say.
alter table waiting_changes add column recency jsonb;
