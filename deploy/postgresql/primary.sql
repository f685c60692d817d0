-- On the primary, as its superuser: psql -f primary.sql -v password=… -v replication_password=…
-- wal_level is replica and hot_standby is on unless somebody changed them.
\set ON_ERROR_STOP on
create role emojid login password :'password';
create role emojid_replication login replication password :'replication_password';
-- Emojis need UTF-8, which a server that was set up without a language has not.
create database emojid owner emojid template template0 encoding 'UTF8' locale 'C.UTF-8';
