import { messages } from '../../../../language.ts'

/** The page to share an id. */
export const texts = messages({
  en: {
    link: {
      title: 'Share your page',
      text: 'Anyone who opens the link or scans the code sees how to pay you.',
      copy: 'Copy link',
      share: 'Share …',
      qr: 'QR code of your page',
      png: 'Save as PNG',
      svg: 'Save as SVG',
    },
    request: {
      title: 'Request an amount',
      text: 'The code opens the payer’s wallet with your address and the amount.',
      currency: 'Currency',
      amount: 'Amount',
      amountHint: 'Such as 0.05',
      wrongAmount: 'Enter a positive number below a trillion, with a point, such as 0.05.',
      tooPrecise: (decimals: number) =>
        `This currency has at most ${decimals} decimal places. Shorten the amount.`,
      none: 'To request an amount, add a payment address for a currency such as Bitcoin or Ethereum.',
      qr: (amount: string, ticker: string) => `QR code: request of ${amount} ${ticker}`,
      copy: 'Copy request',
    },
  },
})
