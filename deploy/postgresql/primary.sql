-- Run on the primary as superuser: psql -f primary.sql -v password=… -v replication_password=…
-- Needs the defaults wal_level = replica and hot_standby = on.
\set ON_ERROR_STOP on
create role emojid login password :'password';
create role emojid_replication login replication password :'replication_password';
-- Emojis need UTF-8. A cluster that was created without a locale has another default encoding.
create database emojid owner emojid template template0 encoding 'UTF8' locale 'C.UTF-8';
