import { messages } from '../../language.ts'
import { idCount } from './id-count.ts'

/** Around the pages of the account, and what several of them say. */
export const texts = messages({
  en: {
    title: 'Your account',
    navigation: 'Account',
    sections: {
      ids: 'Emoji ids',
      transfers: 'Transfers',
      interests: 'Interests',
      orders: 'Orders',
      sales: 'Sales',
      paymentMethods: 'Payment methods',
      lootboxes: 'Lootboxes',
      security: 'Security',
      keys: 'Keys',
      profile: 'Profile',
    },
    frozenText:
      'Frozen because the payment is disputed. It is found and paid as before, but until that ends it cannot be handed on, given back or made a token.',
    signedText: 'A mint signature was issued: the id is blocked until',
    boxes: {
      statuses: { Draft: 'Draft', Available: 'For sale', Owned: 'Closed', Used: 'Opened' },
      ids: idCount,
      secret: 'A secret until you open it',
    },
    orders: {
      statuses: {
        PendingPayment: 'Waiting for payment',
        Paid: 'Paid',
        Cancelled: 'Cancelled',
      },
      more: (count: number) => `and ${count} more`,
    },
    unconfirmed: {
      text: (email: string) =>
        `Nobody has shown yet that ${email} is theirs. Open the link in our mail: until then you cannot buy, receive emoji ids, set up text messages, or be told of news.`,
      send: 'Mail the link again',
      sent: 'The mail is on its way. Look into your mailbox, also among spam.',
    },
  },
})
