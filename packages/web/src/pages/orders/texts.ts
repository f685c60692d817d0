import { messages } from '../../language.ts'

const days = 14

export const texts = messages({
  en: {
    title: 'Your order',
    unknown: 'We can’t find this order.',
    waiting: 'Waiting for your payment …',
    waitingText: 'This takes a moment. The page updates by itself.',
    backToPay: 'Back to payment',
    unpaidTitle: 'Nothing was charged',
    unpaidText:
      'Your card was declined or not confirmed. Your ids are still held: choose another way to pay.',
    closeReasons: {
      barred_card: 'We can’t accept this card. Choose another way to pay, or contact our support.',
      removed_buyer: 'This account can’t buy emoji ids. Contact our support if you disagree.',
      closed_order: 'The order no longer waited for this payment.',
      risen_price: 'The price rose before your payment arrived. Check out again at the new price.',
    },
    barredText:
      'We can’t accept this card, so we refund what you paid. Contact our support if you disagree.',
    seenText:
      'We’ve seen your payment. It can take days to arrive, but you don’t need to pay again.',
    toCheckout: 'Go to checkout',
    paidTitle: 'It’s yours',
    paidManyTitle: 'They’re yours',
    paidText: (email: string | null) =>
      email ? `We’re emailing the receipt to ${email}.` : 'This is your receipt.',
    draftTitle: 'This order isn’t paid',
    draftText: 'The time to pay ran out, so it’s a cart again. Nothing was charged.',
    cancelledTitle: 'This order was cancelled',
    cancelledText:
      'It wasn’t fully paid in time, or its ids sold or rose in price before the money arrived. We refund what you paid.',
    receipt: 'Receipt',
    number: 'Order number',
    paidAt: 'Paid',
    refunded: 'Refunded',
    page: 'Open its page',
    addAddress: 'Add an address',
    addAddressTo: (name: string) => `Add an address to ${name}`,
    addAddressText: 'Add an address to get paid with this id.',
    currency: 'Currency',
    address: 'Address',
    save: 'Save address',
    alreadySaved: 'This address is already saved.',
    hasOther: (currency: string) => `Not saved. Payers in ${currency} already see`,
    hasOtherText: 'To replace it, edit the addresses of this id.',
    toEditor: 'Edit addresses',
    saved: (currency: string) => `Saved. Payers in ${currency} now see your address.`,
    states: {
      cart: 'Cart',
      waiting: 'Waiting for payment',
      paid: 'Paid',
      disputed: 'Payment disputed',
      bankBack: 'Charged back',
      asked: 'Refund requested',
      partlyBack: 'Partly refunded',
      back: 'Refunded',
      cancelled: 'Cancelled',
    },
  },
})

export const receiptTexts = messages({
  en: {
    all: 'All your orders',
    back: 'Refunded',
    backText: 'You no longer own the items of this order. See below where the money is.',
    buyer: 'For',
    state: 'State',
    manage: 'Manage',
    boxTitle: 'Your lootbox is ready',
    boxText: 'See the odds, and open it whenever you like.',
    boxOpen: 'Go to the lootbox',
    print: 'Print',
    resend: 'Resend the receipt',
    resent: 'The receipt is on its way. Check your spam folder too.',
  },
})

export const invoiceTexts = messages({
  en: {
    open: 'Make an invoice',
    form: 'Invoice',
    text: 'These details appear on the printed invoice. They stay in this browser.',
    company: 'Company name',
    taxId: 'Tax id',
    taxIdHint: 'Such as a VAT number. Optional.',
    address: 'Address',
    print: 'Print the invoice',
    close: 'Close',
    title: (number: string) => `Invoice ${number}`,
    seller: 'From',
    buyer: 'To',
    taxIdOf: (id: string) => `Tax id: ${id}`,
  },
})

export const refundTexts = messages({
  en: {
    title: 'Refund',
    may: (until: string) => `You can request a refund until ${until}. Just tell us why.`,
    rules: [
      `Within ${days} days of payment, while you still own what you bought.`,
      'Minted ids and opened lootboxes can’t be refunded.',
    ],
    next: 'What happens next',
    steps: [
      'Our team will review your request.',
      'If we approve it, the ids leave your account. Their addresses, pages and pictures are deleted.',
      'We refund you the way you paid and email you when the money is sent.',
    ],
    excluded: 'Not refundable',
    obstacles: {
      not_paid: 'It isn’t paid.',
      refunded: 'It was already refunded.',
      disputed: 'Its payment is disputed.',
      not_owned: 'You no longer own it.',
      minted: 'It was minted.',
      signature_live: 'A mint signature is still active.',
      opened: 'It was opened.',
      too_late: 'The refund period has ended.',
      no_money: 'Nothing was paid for it, or everything was refunded.',
    },
    late: (until: string) => `The ${days}-day refund period ended on ${until}.`,
    cannot:
      'Nothing in this order can be refunded. Refunds cover paid items that you still own, ids that aren’t minted, and closed lootboxes.',
    disputed:
      'The payment is disputed, so your ids still get paid but can’t be transferred, released or minted, and lootboxes can’t be opened. If this is a mistake, tell your bank that the payment was correct.',
    disputeLost: 'Your bank returned the money to you. The items we took back are no longer yours.',
    ask: 'Request a refund',
    askTitle: 'Request a refund?',
    askText:
      'You keep your ids until we decide. If we approve the refund, they leave your account with all their data.',
    why: 'Why?',
    whyHint: 'A sentence is enough.',
    whyShort: 'Tell us briefly why.',
    send: 'Send request',
    sent: 'Request sent.',
    asked: (when: string) => `You requested a refund on ${when}.`,
    askedText: 'Our team will review your request. You keep your ids until then.',
    declined: (when: string) => `We declined your refund on ${when}, because:`,
    again: 'If we missed something, you can request it again.',
    askAgain: 'Request again',
    refunds: 'Your refunds',
    states: {
      queued: 'On its way',
      done: 'Sent',
      by_hand: 'Sent by our team',
    },
    toClaim: 'Ready to claim',
    showClaim: 'Claim your refund',
    claimFrom: (when: string) =>
      `Your email address was changed recently. To protect your money from a thief, you can claim this refund from ${when} on.`,
    claim: 'Enter an address',
    claimText:
      'You paid with cryptocurrency, so we need an address for your refund. Open the link to enter one, and don’t share the link.',
  },
})
