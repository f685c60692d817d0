import { messages } from '../../language.ts'

const days = 14

export const texts = messages({
  en: {
    title: 'Your order',
    waiting: 'Waiting for your payment …',
    waitingText: 'This takes a moment. The page goes on by itself; you can leave it open.',
    backToPay: 'Back to paying',
    unpaidTitle: 'Nothing was charged',
    unpaidText:
      'Your card was declined or not confirmed. Your ids are still held: choose another way to pay.',
    seenText:
      'Your payment was seen. Some take days to arrive; your ids are held until then, and there is nothing to pay again.',
    toCheckout: 'Look at the checkout',
    paidTitle: 'It is yours',
    paidManyTitle: 'They are yours',
    paidText: (email: string | null) =>
      email ? `The receipt is on its way to ${email}.` : 'This is your receipt.',
    draftTitle: 'This order is not paid',
    draftText: 'The time to pay was over, so it is a cart again. Nothing was charged.',
    cancelledTitle: 'This order was cancelled',
    cancelledText:
      'Not all of it was paid in time, or its ids were sold or cost more when the money arrived. Whatever was paid is refunded.',
    receipt: 'Receipt',
    number: 'Order number',
    paidAt: 'Paid',
    refunded: 'Refunded',
    page: 'Open its page',
    addAddress: 'Add an address',
    addAddressTo: (name: string) => `Add an address to ${name}`,
    addAddressText: 'So that people can pay you with this id.',
    currency: 'Currency',
    address: 'Address',
    save: 'Save the address',
    isThere: 'This is your address already.',
    hasOther: (currency: string) => `Nothing is saved: whoever pays this id in ${currency} sees`,
    hasOtherText: 'To put another address in its place, change it among the addresses of the id.',
    toEditor: 'Go to its addresses',
    saved: (currency: string) =>
      `Saved: whoever pays this id in ${currency} now sees your address.`,
    states: {
      cart: 'Cart',
      waiting: 'Waiting for payment',
      paid: 'Paid',
      disputed: 'Payment disputed',
      bankBack: 'Money taken back by the bank',
      asked: 'Refund asked for',
      partlyBack: 'Partly refunded',
      back: 'Refunded',
      cancelled: 'Cancelled',
    },
  },
})

export const receiptTexts = messages({
  en: {
    all: 'All your orders',
    back: 'Given back',
    backText: 'What was bought with this order is not yours any more. Below is where the money is.',
    buyer: 'For',
    state: 'State',
    manage: 'Manage it',
    boxTitle: 'Your lootbox waits to be opened',
    boxText: 'Nobody knows what is in it. See the odds, and open it whenever you like.',
    boxOpen: 'Go to the lootbox',
    print: 'Print',
    resend: 'Mail the receipt again',
    resent: 'The receipt is on its way to you. Look among spam too.',
  },
})

export const moneyBackTexts = messages({
  en: {
    title: 'Money back',
    may: (until: string) =>
      `You can give this order back until ${until}, without saying more than why.`,
    rules: [
      `Within ${days} days of paying, while you still have what you bought.`,
      'An id that was made a token, and a lootbox that was opened, cannot be given back.',
    ],
    next: 'What happens then',
    steps: [
      'Somebody of us reads it and decides.',
      'The ids leave your account. Their addresses, pages and pictures are deleted, so that nothing of yours stays behind.',
      'The money goes back the way it came. We mail you when it is sent.',
    ],
    staysOut: 'What stays out of it',
    obstacles: {
      not_paid: 'It is not paid.',
      refunded: 'It was given back before.',
      disputed: 'Its payment is disputed.',
      not_owned: 'It is not yours any more.',
      minted: 'It was made a token.',
      signature_live: 'It may become a token at any moment: a signature for that is still good.',
      opened: 'It was opened.',
      too_late: 'It was bought too long ago.',
      no_money: 'Nothing was paid for it, or all of it went back.',
    },
    late: (until: string) => `The ${days} days in which it could be given back ended on ${until}.`,
    cannot:
      'Nothing of this order can be given back: only what money came in for, what you still have, what was not made a token, and lootboxes that are still closed.',
    disputed:
      'What you bought is frozen because the payment is disputed: your bank decides about the money. It is found and paid as before, but it cannot be handed on, given back, made a token or opened. If you did not mean this, tell your bank that the payment was right.',
    disputeLost:
      'Your bank decided that you get the money back. What was taken back for it is not yours any more.',
    ask: 'Ask for the money back',
    askTitle: 'Give this order back?',
    askText:
      'Nothing happens to your ids until we agree. If we do, they leave your account with everything behind them.',
    why: 'Why?',
    whyHint: 'A sentence is enough.',
    whyShort: 'Say in a few words why.',
    send: 'Send',
    sent: 'Your request is sent.',
    asked: (when: string) => `You asked for your money back on ${when}.`,
    askedText: 'Somebody of us reads it and decides. You keep your ids until then.',
    declined: (when: string) => `On ${when} we decided not to give it back, because:`,
    again: 'If we overlooked something, you can ask again and say so.',
    askAgain: 'Ask again',
    refunds: 'What we give back',
    states: {
      queued: 'On its way',
      done: 'Sent',
      by_hand: 'A person of ours sends it',
    },
    toClaim: 'Ready for you',
    claim: 'Say where it goes',
    claimText:
      'You paid with cryptocurrency, so we cannot know where the money should go. Open the link and give an address; do not share it with anybody.',
  },
})
