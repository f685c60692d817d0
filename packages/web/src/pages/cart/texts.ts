import { messages } from '../../language.ts'

/** The texts of a purchase, from the cart to the receipt. */
export const texts = messages({
  en: {
    title: 'Your cart',
    find: 'Find an emoji id',
    putIn: 'Add to cart',
    remove: 'Remove',
    removeNamed: (name: string) => `Remove ${name}`,
    marks: {
      Taken: 'This id is no longer available. Remove it to continue.',
      PendingPurchase:
        'Another buyer is paying for this id. Remove it, or check out again in a few minutes in case they don’t pay.',
    },
    checkOut: 'Check out',
    holdHint: 'We hold your ids for a few minutes while you pay.',
    codeHint: 'Have a promo code? Enter it in the next step.',
    held: 'These ids are held for you while you pay.',
    goOn: 'Continue to payment',
    change: 'Change cart',
    changeHint: 'This releases the hold.',
    confirmTitle: 'Confirm your email address first',
    confirmText: (email: string) =>
      `We emailed a link to ${email}. Open it, then come back and check out. Your receipt goes to that address.`,
    unconfirmed: 'Your address isn’t confirmed yet, so your ids aren’t held.',
    resend: 'Resend the link',
    resent: 'Email sent. Check your spam folder too.',
  },
})
