import { globalRoles, memberRoles } from '@emojid/core'
import { OneOf } from '../../../platform/http/api/schemas.ts'

/** Permissions, spelled as shipped clients know them. No operation requires some of them. */
export const scopes = [
  'adminCart:update',
  'adminEmoji:destroy',
  'adminEmoji:load',
  'adminEmoji:register',
  'adminEmoji:transfer',
  'adminEmoji:updateFeatures',
  'adminEmoji:updateSecureData',
  'adminEmoji:write',
  'adminFeatureUser:read',
  'adminInvites:write',
  'adminInvites:list',
  'adminLootbox:read',
  'adminLootbox:write',
  'adminNotifications:write',
  'adminUser:bypass2fa',
  'adminUser:load',
  'adminUser:loginAs',
  'adminUser:twoFactorAuthDestroy',
  'adminUser:roleUpdate',
  'adminPriceParameters:read',
  'adminPriceParameters:write',
  'cart:show',
  'cart:update',
  'order:paymentOverride',
  'order:read',
  'order:readSelf',
  'order:refund',
  'order:refundOverride',
  'order:resendConfirmation',
  'refund:read',
  'paymentMethod:destroy',
  'paymentMethod:read',
  'paymentMethod:setDefault',
  'code:delete',
  'code:read',
  'code:write',
  'edition:delete',
  'edition:read',
  'edition:write',
  'emojiGroups:delete',
  'emojiGroups:read',
  'emojiGroups:write',
  'feature::delete',
  'feature::read',
  'feature::write',
  'lootbox:use',
  'organization:admin',
  'organizationCode:admin',
  'organizationEmoji:list',
  'organizationEmoji:write',
  'organizationList:read',
  'organization:read',
  'organizationUser:admin',
  'organizationUser:read',
  'organization:write',
  'nftSignature:write',
  'nftToken:destroy',
  'nftTransfer:read',
  'domainAction:read',
  'domainEvent:read',
  'emoji::transfer',
  'user:createApiKey',
  'token:refresh',
  'auth:twoFactor',
  'user:activate',
  'userData:update',
  'user:delete',
  'user:deleteSelf',
  'userEmail:verify',
  'userEmoji:list',
  'userInterest:delete',
  'userInterest:read',
  'userInterest:write',
  'user:list',
  'userPubkeys:list',
  'userPubkeys:write',
  'user:show',
  'user:write',
  'user:writeSelf',
  'webhook:read',
  'webhook:write',
] as const
/**
 * Scopes of API keys only, which must be requested by name. Shipped clients do not know them, so no
 * role has them and no default includes them.
 */
const keyScopes = ['webhook:read', 'webhook:write'] as const
export const isKeyScope = (scope: string): boolean =>
  (keyScopes as readonly string[]).includes(scope)
export type Scope = (typeof scopes)[number]
export const ScopeName = OneOf(scopes)

/** Roles in the whole service, lowest first. */
export type GlobalRole = (typeof globalRoles)[number]

/** Roles in one organization. */
export type MemberRole = (typeof memberRoles)[number]

/** Second factors. */
const providers = ['AuthenticatorApp', 'SMS'] as const
export type Provider = (typeof providers)[number]
export const ProviderName = OneOf(providers)

export const RoleName = OneOf([...globalRoles, ...memberRoles])
export const MemberRoleName = OneOf(memberRoles)
