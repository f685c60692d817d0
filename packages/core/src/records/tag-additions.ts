// How to add a category: a row in `addedTags`, with the next free number of its class, and a test in
// tags.test.ts. It is then known to the API, the SDK, the command line and the pages. Where it is
// checked, shown or edited in a way of its own, give it a row in `tagUses`. A cryptocurrency also
// needs a row in addresses/chains.ts, which checks its addresses; a new `data_form` a check in
// check-record.ts, and a record of the demonstration (packages/server/src/demo/directory.ts).

export type DataForm =
  | 'text'
  | 'url'
  | 'date'
  | 'modifiers'
  | 'hex32'
  | 'signature'
  | 'address'
  | 'address_hex20'
  | 'ticker_address'
  | 'token'
  | 'ipv4'
  | 'ipv6'
  | 'dns_name'
  | 'dns_rdata'

type AddedTag = {
  tag: string
  name: string
  data_form: DataForm
  ticker?: string
  /** A new value replaces the old one. Cryptocurrencies have it without saying so. */
  single_value?: true
  /** Payment lookups return it. Cryptocurrencies have it without saying so. */
  payment?: true
  max_bytes?: number
}

/** Categories beside those of the frozen table data/tags.v1.json; its last currency is 0x1070. */
export const addedTags: readonly AddedTag[] = []

/** A part of the id's page, or of the id itself, that the records of a category fill. */
export type ShownAs = 'title' | 'text' | 'link' | 'redirect' | 'display_form'

export type TagUse = {
  /** A check beyond that of its `data_form`. */
  check?: 'display_form' | 'payment_address' | 'onion'
  /** The longest text of a category without `max_bytes`; 255 bytes otherwise. */
  longest?: number
  /** The kinds of address that it accepts, if its currency has more. */
  address_kinds?: readonly string[]
  shown?: ShownAs
  /** The editor has several lines for it. */
  in_lines?: true
  /** Its place at the top of the editor's list. */
  usual?: number
  /** The editor's explanation of it. */
  hint?: string
  /** A delay lock holds its changes back, although it is no payment address. */
  delayed?: true
}

/** How categories are checked, shown, edited and linked beyond what their `data_form` says. */
export const tagUses: Readonly<Record<string, TagUse>> = {
  '0x0002': { shown: 'text', in_lines: true, usual: 2, hint: 'A sentence or two about you.' },
  '0x0004': {
    shown: 'redirect',
    usual: 4,
    hint: 'Visitors go to this link instead of your page.',
    delayed: true,
  },
  '0x0005': { shown: 'title', usual: 1, hint: 'Your display name.' },
  '0x0006': {
    check: 'display_form',
    shown: 'display_form',
    hint: 'The same emojis with your preferred skin tones.',
  },
  // A public key that receives payments.
  '0x0101': { delayed: true },
  '0x1001': { address_kinds: ['standard', 'integrated'] },
  '0x1002': { address_kinds: ['sub'] },
  '0x4000': { check: 'onion' },
  '0x4001': { shown: 'link', usual: 3, hint: 'A link on your page. You can add several.' },
  '0x4002': { longest: 1024 },
  '0x4110': { longest: 1024, in_lines: true },
  '0x5001': { in_lines: true },
  '0x5010': { in_lines: true },
  '0x6200': {
    check: 'payment_address',
    hint: 'Such as a bank account. It’s public but not shown on your page, and we don’t verify it.',
  },
}
