-- Where the browser was sent back to. An earlier consent counts for this address only: an address that
-- is added to an application later asks the person again.
alter table oauth_grants add column redirect_uri text;
