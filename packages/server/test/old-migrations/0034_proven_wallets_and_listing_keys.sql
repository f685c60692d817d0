-- Wallets whose owners did not name the address beside the signature are not proven. Of those that
-- are here nobody knows: each is proven by being connected again.
alter table wallets add column proven boolean not null default false;

-- Listing one's ids takes a scope now. Keys that were made for all that a user may keep doing it.
update api_keys set scopes = array_append(scopes, 'userEmoji:list')
where not 'userEmoji:list' = any (scopes)
  and scopes @> array['user:createApiKey', 'edition:read', 'emoji::transfer', 'lootbox:use',
    'order:readSelf', 'organizationList:read', 'nftSignature:write', 'userData:update',
    'user:deleteSelf', 'userInterest:delete', 'userInterest:read', 'userInterest:write',
    'user:writeSelf'];
