import { type Html, html } from '../../../platform/http/pages/html.ts'
import { messages } from '../../../platform/http/pages/language.ts'

const moment = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'UTC',
})
const time = (at: Date): Html =>
  html`<time datetime="${at.toISOString()}">${moment.format(at)} UTC</time>`

/** The page of an id and its ways to pay. */
export const texts = messages({
  en: {
    pictureText: (names: string) => `emoji id: ${names}`,
    inDirectory: (id: string) => `${id} in the Emoji Id Directory`,
    payIn: (id: string, currencies: readonly string[]) => `Pay ${id} in ${currencies.join(', ')}`,
    noAddress: 'This emoji id has no payment addresses.',
    empty: 'This emoji id is taken. Its owner hasn’t published anything yet.',
    nextChange: (at: Date) => html`Payment address changes on ${time(at)}`,
    lastChange: (at: Date) => html`Last changed ${time(at)}`,
    edit: 'Edit this page',
    report: 'Report this emoji id',
    pay: (names: Html) => html`Pay ${names}`,
    addressOf: (currency: string) =>
      / address$/.test(currency) ? currency : `${currency} address`,
    qrCode: (address: string) => `QR code: ${address}`,
    copy: { label: 'Copy', what: (address: string) => ` the ${address}` },
    openInWallet: { label: 'Open in wallet', what: (currency: string) => ` (${currency})` },
    onNetwork: (network: string) => `on ${network}`,
    verdicts: {
      checksum: 'The checksum is correct.',
      format:
        'The format is correct. No checksum proves the address, so compare it before you pay.',
      none: 'We can’t check addresses of this currency. Compare the address before you pay.',
      wrong:
        'This doesn’t look like an address of this currency. Check with the owner before you pay.',
    },
    severalNetworks: (ticker: string, networks: readonly string[]) =>
      `${ticker} is paid on several networks: ${networks.join(', ')}. Ask the owner which one to use.`,
  },
})
