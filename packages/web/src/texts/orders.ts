/** What somebody bought, and their money back. */
export const ownOrderTexts = {
  text: 'What you bought, with the receipts. Choose one to see it, print it or give it back.',
  caption: 'Your orders',
  filters: 'Find an order of yours',
  status: 'State',
  everyStatus: 'Every state',
  statuses: {
    PendingPayment: 'Waiting for payment',
    Paid: 'Paid',
    Cancelled: 'Cancelled',
  },
  columns: { order: 'Order', goods: 'What', state: 'State', total: 'Total' },
  order: (number: string) => `Order ${number}`,
  box: 'Lootbox',
  more: (count: number) => `and ${count} more`,
  pages: 'Pages of your orders',
  none: 'You have not ordered anything yet. What is in your cart is no order until you check out.',
  notFound: 'None of your orders is in that state.',
  find: 'Find an emoji id',
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
}

export const receiptTexts = {
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
}

const days = 14

export const moneyBackTexts = {
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
}

export const paymentMethodTexts = {
  text: 'Cards that our payment provider keeps for you. We never see their numbers. The default is chosen for you in the checkout.',
  caption: 'Your cards',
  columns: { card: 'Card', expires: 'Valid until', actions: 'Actions' },
  expired: 'Expired',
  isDefault: 'Default',
  makeDefault: 'Make default',
  madeDefault: (card: string) => `${card} is your default card.`,
  remove: 'Remove',
  removeTitle: (card: string) => `Remove ${card}?`,
  removeText:
    'The provider forgets it, and you type it again at your next purchase. What you bought with it stays yours, and refunds still reach it.',
  removed: (card: string) => `${card} is removed.`,
  none: 'No card is kept for you. When you pay by card, the provider asks whether to keep it for the next time.',
}
