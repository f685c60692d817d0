import { messages } from '../../language.ts'

/** From the cart to the receipt. */
export const texts = messages({
  en: {
    title: 'Your cart',
    find: 'Find an emoji id',
    putIn: 'Put it into the cart',
    remove: 'Remove',
    removeNamed: (name: string) => `Remove ${name}`,
    marks: {
      Taken: 'Somebody owns this id now. Remove it to go on with the others.',
      PendingPurchase:
        'Somebody else is paying for this id right now. Remove it, or check out again in a few minutes: if they do not pay, it is free again.',
    },
    checkOut: 'Check out',
    holdHint: 'The ids are then held for you for a few minutes, so that nobody else gets them.',
    codeHint: 'Have a promo code? You enter it in the next step.',
    held: 'These ids are held for you while you pay.',
    goOn: 'Go on paying',
    change: 'Change the cart',
    changeHint: 'Changing the cart gives up the hold.',
    confirmTitle: 'Confirm your e-mail address first',
    confirmText: (email: string) =>
      `We mailed a link to ${email} that confirms it. Open it, come back here and check out: the receipt goes to that address.`,
    unconfirmed: 'Your address is not confirmed yet, so the ids are not held.',
    resend: 'Mail the link again',
    resent: 'The mail is on its way. Look among spam too.',
  },
})
