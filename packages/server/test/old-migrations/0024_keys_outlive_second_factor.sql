-- Keys of somebody who has taken their second factor off since: what asked for a code stays closed to them.
alter table api_keys add column outlived_second_factor boolean not null default false;
