-- On the primary, as its superuser: psql -f primary.sql -v password=… -v replication_password=…
-- wal_level is replica and hot_standby is on unless somebody changed them.
create role emojid login password :'password';
create role emojid_replication login replication password :'replication_password';
create database emojid owner emojid;
