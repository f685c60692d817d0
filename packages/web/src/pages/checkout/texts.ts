import { messages } from '../../language.ts'

/** The checkout. A separate file, so other pages do not load it. */
export const texts = messages({
  en: {
    left: 'Left to pay',
    title: 'Checkout',
    heldFor: 'Held for you for',
    heldMore: (time: string) => `Your ids are held for ${time} more.`,
    heldEnds: (time: string) => `Less than ${time} left to pay.`,
    minutes: (count: number) => (count === 1 ? 'one minute' : `${count} minutes`),
    seconds: (count: number) => `${count} seconds`,
    lapsedTitle: 'Time’s up',
    lapsedText:
      'Your ids are no longer held, so other buyers can get them. They’re still in your cart, and nothing was charged.',
    notHeldTitle: 'Your ids aren’t held',
    notHeldText: 'Other buyers can get the ids in your cart. Check out to hold them.',
    again: 'Check out again',
    giveUp: 'Change cart',
    giveUpHint: 'This releases the hold.',
    codeLabel: 'Promo code',
    codeUse: 'Apply code',
    codeUsed: 'Code applied.',
    codes: 'Codes on your order',
    removeCode: 'Remove',
    codeRemoved: (name: string) => `Code ${name} removed.`,
    savedCards: 'Your saved cards',
    defaultCard: '(default)',
    paySaved: (card: string) => `Pay with ${card}`,
    paySavedHint: 'We charge it immediately. Your bank may ask you to confirm.',
    payTitle: 'Pay',
    payCard: 'Pay by card',
    payOtherCard: 'Pay with another card',
    payCardHint: 'You pay on our payment provider’s page and then return here.',
    payCrypto: 'Pay with cryptocurrency',
    conditions: {
      accept: 'By ordering, you accept the',
      terms: 'terms',
      readPrivacy: 'See how we handle your data in the',
      privacy: 'privacy notice',
      newTab: '(opens in a new tab)',
    },
    free: 'Get it now',
    freeText: 'Nothing is left to pay.',
    allowance: (count: number) => (count === 1 ? 'Use my free id' : 'Use my free ids'),
    allowanceText: (count: number) =>
      count === 1
        ? 'Your account has one free id left.'
        : `Your account has ${count} free ids left.`,
    cryptoTitle: 'Pay with cryptocurrency',
    cryptoText: 'Send exactly this amount. This page updates when it arrives.',
    cryptoRefunds:
      'For a refund, you tell us an address then. Monero and LNURL refunds are sent by hand and take longer.',
    currency: 'Currency',
    amount: 'Amount',
    address: 'Address',
    copyAddress: 'Copy the address',
    copyAmount: 'Copy the amount',
    qr: (title: string) => `QR code of the payment in ${title}`,
    openWallet: 'Open in wallet',
    invoice: 'Open invoice',
    waitingForCrypto: 'Waiting for your payment …',
    arrived: 'Received so far:',
    partOnItsWay: 'Part of the payment is on its way.',
    onItsWay: 'Your payment is on its way',
    onItsWayText: (email: string | null) =>
      `You don’t need to do anything or pay again. Some payments take days. Your ids are held until then${email ? `, and we’ll email ${email} once they’re yours` : ''}.`,
  },
})
