import { messages } from '../../../language.ts'
import type { Scope } from './scopes.ts'

type Group = { title: string; words: Partial<Record<Scope, string>> }

/** What keys may do, in plain words. */
export const scopeTexts = messages<readonly Group[]>({
  en: [
    {
      title: 'Emoji ids',
      words: {
        'userEmoji:list': 'See the list of your emoji ids',
        'userData:update': 'Change addresses, pages and pictures of your emoji ids',
        'emoji::transfer': 'Hand emoji ids on, and accept them',
        'nftSignature:write': 'Reserved: mint signatures are given to people, not to keys',
        'userInterest:read': 'See which emoji ids you wait for',
        'userInterest:write': 'Wait for more of them',
        'userInterest:delete': 'Stop waiting for some',
      },
    },
    {
      title: 'Buying',
      words: {
        'cart:show': 'See your cart',
        'cart:update': 'Fill your cart, and buy what is in it',
        'order:readSelf': 'See your orders and receipts, and ask for refunds',
        'paymentMethod:read': 'See your kept cards, without their numbers',
        'paymentMethod:destroy': 'Remove kept cards',
        'paymentMethod:setDefault': 'Choose the card to pay with',
        'lootbox:use': 'See and open your lootboxes',
      },
    },
    {
      title: 'Account',
      words: {
        'user:writeSelf': 'See and change your account, your keys and wallets',
        'user:createApiKey': 'Make and delete API keys',
        'user:deleteSelf': 'Delete your account',
        'organizationList:read': 'See which organizations you belong to',
      },
    },
    {
      title: 'Organizations',
      words: {
        'organization:read': 'See organizations and their applications',
        'organization:write': 'Change organizations and how they look',
        'organization:admin': 'Manage applications of organizations',
        'organizationUser:read': 'See members',
        'organizationUser:admin': 'Add and remove members',
        'organizationEmoji:list': 'See emoji ids of organizations',
        'organizationEmoji:write': 'Change emoji ids of organizations',
        'organizationCode:admin': 'Manage codes of organizations',
      },
    },
    {
      title: 'All users',
      words: {
        'user:list': 'Find users',
        'user:show': 'See any user',
        'adminUser:load': 'See the account of any user as they do',
        'user:write': 'Change any user',
        'user:activate': 'Register users as confirmed',
        'user:delete': 'Delete any user',
        'adminUser:roleUpdate': 'Change the roles of users',
        'adminUser:loginAs': 'Make keys for other users',
        'adminUser:twoFactorAuthDestroy': 'Remove the second factor of any user',
        'userPubkeys:list': 'See the public keys of any user',
        'userPubkeys:write': 'List public keys for any user',
        'feature::read': 'See features',
        'feature::write': 'Give and take features',
        'domainEvent:read': 'Read the audit log',
        'domainAction:read': 'See jobs',
        'adminNotifications:write': 'Try jobs again, and delete them',
      },
    },
    {
      title: 'All emoji ids',
      words: {
        'adminEmoji:load': 'See the emoji ids of anybody',
        'adminEmoji:register': 'Give emoji ids to anybody',
        'adminEmoji:write': 'Change any emoji id',
        'adminEmoji:updateSecureData': 'Lock what is stored behind any emoji id',
        'adminEmoji:updateFeatures': 'Change features of any emoji id',
        'adminEmoji:transfer': 'Move any emoji id at once',
        'adminEmoji:destroy': 'Take emoji ids back',
        'nftToken:destroy': 'Note that a token is gone',
      },
    },
    {
      title: 'Shop',
      words: {
        'order:read': 'See every order',
        'order:paymentOverride': 'Count an order as paid',
        'order:refund': 'Refund orders',
        'order:refundOverride': 'Refund beyond the rules',
        'order:resendConfirmation': 'Send receipts again',
        'refund:read': 'See every refund',
        'adminCart:update': 'Pay the carts of others',
        'code:read': 'See codes',
        'code:write': 'Make and change codes',
        'code:delete': 'Delete codes',
        'adminLootbox:read': 'See every lootbox',
        'adminLootbox:write': 'Make lootboxes and their types',
        'adminPriceParameters:read': 'See how prices are made',
        'adminPriceParameters:write': 'Change prices',
      },
    },
  ],
})

const words: Partial<Record<Scope, string>> = Object.assign(
  {},
  ...scopeTexts.map((group) => group.words),
)

/** A permission in plain words, or its name if there are none. */
export const scopeInWords = (scope: Scope): string => words[scope] ?? scope
