import { messages } from '../../../language.ts'
import type { Scope } from './queries.ts'

type Group = { title: string; words: Partial<Record<Scope, string>> }

/** The permissions of API keys in plain words. */
export const scopeTexts = messages<readonly Group[]>({
  en: [
    {
      title: 'Emoji ids',
      words: {
        'userEmoji:list': 'See the list of your emoji ids',
        'userData:update': 'Change addresses, pages and pictures of your emoji ids',
        'emoji::transfer': 'Send and accept emoji ids',
        'nftSignature:write': 'Reserved: only people can request mint signatures',
        'userInterest:read': 'See your watchlist',
        'userInterest:write': 'Add emoji ids to your watchlist',
        'userInterest:delete': 'Remove emoji ids from your watchlist',
      },
    },
    {
      title: 'Buying',
      words: {
        'cart:show': 'See your cart',
        'cart:update': 'Change your cart and buy its contents',
        'order:readSelf': 'See your orders and receipts, and request refunds',
        'paymentMethod:read': 'See your saved cards, without their numbers',
        'paymentMethod:destroy': 'Remove saved cards',
        'paymentMethod:setDefault': 'Choose the default card',
        'lootbox:use': 'See and open your lootboxes',
      },
    },
    {
      title: 'Account',
      words: {
        'user:writeSelf': 'See and change your account and wallets, see your keys',
        'user:createApiKey': 'See and delete API keys',
        'user:deleteSelf': 'Delete your account',
        'organizationList:read': 'See your organizations',
        'webhook:read': 'See webhook endpoints and their deliveries',
        'webhook:write': 'Change, pause and delete webhook endpoints',
      },
    },
    {
      title: 'Organizations',
      words: {
        'organization:read': 'See organizations and their applications',
        'organization:write': 'Change organizations and their branding, except the return link',
        'organization:admin': 'See and delete the applications of organizations',
        'organizationUser:read': 'See members',
        'organizationUser:admin': 'Add and remove members',
        'organizationEmoji:list': 'See the emoji ids of organizations',
        'organizationEmoji:write': 'Change the emoji ids of organizations',
        'organizationCode:admin': 'Manage the codes of organizations',
      },
    },
    {
      title: 'All users',
      words: {
        'user:list': 'Find users',
        'user:show': 'See any user',
        'adminUser:load': 'See the account of any user',
        'user:write': 'Change any user',
        'user:activate': 'Register users with a confirmed address',
        'user:delete': 'Delete any user',
        'adminUser:roleUpdate': 'Change user roles',
        'adminUser:loginAs': 'Create keys for other users',
        'adminUser:twoFactorAuthDestroy': 'Remove the second factor of any user',
        'userPubkeys:list': 'See the public keys of any user',
        'userPubkeys:write': 'Add public keys for any user',
        'feature::read': 'See features',
        'feature::write': 'Grant and revoke features',
        'domainEvent:read': 'Read the audit log; in an organization, its events',
        'domainAction:read': 'See jobs',
        'adminNotifications:write': 'Retry and delete jobs',
      },
    },
    {
      title: 'All emoji ids',
      words: {
        'adminEmoji:load': 'See the emoji ids of any user',
        'adminEmoji:register': 'Give emoji ids to any user',
        'adminEmoji:write': 'Change any emoji id',
        'adminEmoji:updateSecureData': 'Lock the records of any emoji id',
        'adminEmoji:updateFeatures': 'Change the features of any emoji id',
        'adminEmoji:transfer': 'Transfer any emoji id immediately',
        'adminEmoji:destroy': 'Revoke emoji ids',
        'nftToken:destroy': 'Record that a token was burned',
      },
    },
    {
      title: 'Shop',
      words: {
        'order:read': 'See every order',
        'order:paymentOverride': 'Mark an order as paid',
        'order:refund': 'Refund orders',
        'order:refundOverride': 'Refund outside the rules',
        'order:resendConfirmation': 'Resend receipts',
        'refund:read': 'See every refund',
        'adminCart:update': 'Pay the carts of other users',
        'code:read': 'See codes',
        'code:write': 'Create and change codes',
        'code:delete': 'Delete codes',
        'adminLootbox:read': 'See every lootbox',
        'adminLootbox:write': 'Create lootboxes and lootbox types',
        'adminPriceParameters:read': 'See price parameters',
        'adminPriceParameters:write': 'Change prices',
      },
    },
  ],
})

const words: Partial<Record<Scope, string>> = Object.assign(
  {},
  ...scopeTexts.map((group) => group.words),
)

/** A permission in plain words; its name if it has none. */
export const scopeInWords = (scope: Scope): string => words[scope] ?? scope
