import { type Html, html } from '../../../platform/http/html.ts'
import { messages } from '../../../platform/http/language.ts'

const moment = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'UTC',
})
const time = (at: Date): Html =>
  html`<time datetime="${at.toISOString()}">${moment.format(at)} UTC</time>`

/** The page of an id, and how it is paid. */
export const texts = messages({
  en: {
    pictureText: (names: string) => `emoji id: ${names}`,
    inDirectory: (id: string) => `${id} in the Emoji Id Directory`,
    payIn: (id: string, currencies: readonly string[]) => `Pay ${id} in ${currencies.join(', ')}`,
    noAddress: 'There is no address for payments here.',
    empty: 'This id is taken. Its owner has not published anything yet.',
    nextChange: (at: Date) => html`Payment address changes on ${time(at)}`,
    lastChange: (at: Date) => html`Last changed ${time(at)}`,
    pay: (names: Html) => html`Pay ${names}`,
    addressOf: (currency: string) =>
      / address$/.test(currency) ? currency : `${currency} address`,
    qrCode: (address: string) => `QR code: ${address}`,
    copy: { label: 'Copy', what: (address: string) => ` the ${address}` },
    openInWallet: { label: 'Open in wallet', what: (currency: string) => ` (${currency})` },
    onNetwork: (network: string) => `on ${network}`,
    verdicts: {
      checksum: 'Its checksum is right: a mistyped character would show.',
      format: 'Its form is right. Addresses of this kind have no checksum: compare it.',
      none: 'We cannot check addresses of this currency: compare it before you pay.',
      wrong: 'This does not look like an address of this currency. Ask before you pay.',
    },
    severalNetworks: (ticker: string, networks: readonly string[]) =>
      `${ticker} is paid on several networks: ${networks.join(', ')}. Ask which one before you pay.`,
  },
})
