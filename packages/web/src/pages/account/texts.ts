import { messages } from '../../language.ts'

export const count = (many: number, one: string, more: string) =>
  many === 1 ? `one ${one}` : `${many} ${more}`

/** The account frame, and texts that several account pages share. */
export const texts = messages({
  en: {
    title: 'Your account',
    navigation: 'Account',
    sections: {
      ids: 'Emoji ids',
      transfers: 'Transfers',
      interests: 'Watchlist',
      orders: 'Orders',
      sales: 'Sales',
      paymentMethods: 'Payment methods',
      lootboxes: 'Lootboxes',
      security: 'Security',
      keys: 'Keys',
      webhooks: 'Webhooks',
      organizations: 'Organizations',
      profile: 'Profile',
    },
    frozenText:
      'Frozen because the payment is disputed. Payments still work, but it can’t be transferred, released or minted until the dispute ends.',
    suspendedText:
      'An operator suspended it: payers and visitors don’t reach it, and you can’t change it. Our email says why and where you can appeal.',
    signedText: 'A mint signature was issued. The id is locked until',
    boxes: {
      statuses: { Draft: 'Draft', Available: 'For sale', Owned: 'Closed', Used: 'Opened' },
      ids: (many: number) => count(many, 'emoji id', 'emoji ids'),
      secret: 'Revealed when you open it',
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
        `Please confirm ${email}: open the link we emailed you. Until then you can’t buy, receive emoji ids, use text messages or get emails about your watchlist.`,
      send: 'Resend the link',
      sent: 'Email sent. Check your inbox and spam folder.',
    },
  },
})
