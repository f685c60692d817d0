const count = (many: number, one: string, more: string) =>
  many === 1 ? `one ${one}` : `${many} ${more}`

/** The editor of what an id leads to. */
export const recordEditorTexts = {
  payments: 'Where payments go',
  paymentsText: 'Whoever pays this emoji id sees these addresses.',
  noPayments: 'No address yet: nobody can pay this emoji id.',
  others: 'Everything else',
  othersText: 'A name, links and whatever else people and programs look up here.',
  noOthers: 'Nothing yet.',
  addAddress: 'Add an address',
  addOther: 'Add something else',
  change: 'Change',
  remove: 'Remove',
  label: 'Label',
  labelHint: 'Everybody sees it, for example the name of your wallet.',
  default: 'Default',
  makeDefault: 'Use by default',
  defaultHint: 'Of several addresses for one currency, payers see this one.',
  isShown: 'Payers see this one',
  willShow: 'Payers will see this one',
  willShowOther: (address: string) => `Several are kept: payers will see ${address}.`,
  willChange: 'Will be changed',
  willGo: 'Will be removed',
  signed: 'Signed by its wallet',
  address: 'Address',
  addressHint: 'Paste it: we find out which currency it is for.',
  currency: 'Currency',
  currencyHint: 'Type a name or a ticker, such as Bitcoin or BTC.',
  noCurrency: 'No such currency. Use “Other cryptocurrency” under “Add something else”.',
  chooseCurrency: 'Choose the currency that the address is for.',
  mistyped: (name: string) =>
    `This looks like ${/^([AEIO]|XRP)/.test(name) ? 'an' : 'a'} ${name} address with a typing error. Copy it again.`,
  network: 'Network',
  anyNetwork: 'Wherever the address fits',
  networkHint: 'Say it, and nobody sends on a network where you have no wallet.',
  is: (currency: string) => `This is an address for ${currency}.`,
  several: 'Several currencies have addresses like this one. Which is it for?',
  test: 'This is an address of a test network, where nothing has any worth.',
  unclear: 'We do not know whose address this is: choose its currency.',
  takeFor: (currency: string) => `Use it for ${currency}`,
  keepBoth: 'Keep the present one too',
  keepBothHint: (others: readonly string[]) =>
    `Otherwise it takes the place of ${others.join(' and ')}.`,
  note: 'Go on to the changes',
  noteChange: 'Take over the change',
  cancel: 'Cancel',
  longLabel: 'The label is too long: at most 255 bytes, which is 255 plain letters.',
  bar: 'The sign | cannot be used: it stands between the parts of a record.',
  same: 'This is there already.',
  kind: 'What it is',
  value: 'Value',
  ticker: 'Ticker',
  longName: 'Name of the token',
  noted: 'Noted. Nothing is saved yet.',
  takenBack: 'Taken back.',
  saved: (many: number) => `Saved: ${count(many, 'change', 'changes')}.`,
  review: 'Your changes',
  reviewText: 'This is what changes when you save. Compare addresses before you do.',
  save: (many: number) => `Save ${count(many, 'change', 'changes')}`,
  discard: 'Discard all',
  discarded: 'Discarded: everything is as it was.',
  takeBack: 'Take back',
  edit: 'Edit',
  conflict:
    'Somebody else changed this emoji id meanwhile. Nothing of yours is saved or lost: below is what your changes do now. Look at it again, and save.',
  conflictDone: 'Somebody else changed this emoji id meanwhile, just as you wanted it.',
  mailed: 'When an address changes, we mail you a link that undoes it for an hour.',
  diff: {
    added: 'New',
    changed: 'Changed',
    removed: 'Removed',
    before: 'Before',
    after: 'New',
  },
  hints: {
    '0x0004': 'Whoever opens your emoji id is led there, instead of to its page.',
    '0x0005': 'How you want to be called.',
    '0x0002': 'A sentence or two about you.',
    '0x0006': 'The same emojis, with the skin tones that you like.',
    '0x4001': 'A link on your page. There can be several.',
    '0x6200':
      'Such as a bank account. Everybody can look it up, but your page does not show it, and nobody checks it.',
  } as Readonly<Record<string, string>>,
  forms: {
    url: 'A link such as https://example.com',
    hex32: '64 hex digits',
    date: 'A date such as 2030-12-31',
    ipv4: 'An address such as 192.0.2.1',
    ipv6: 'An address such as 2001:db8::1',
    dns_name: 'A host name such as www.example.com',
  } as Readonly<Record<string, string>>,
}

/** What was changed when, and the proof of what is there now. */
export const historyTexts = {
  title: 'History',
  text: 'Every change of the records, the newest first. Only you see what they were. Whatever you put back is shown to you again before it is saved.',
  none: 'Nothing was changed yet.',
  by: {
    you: 'by you',
    colleague: 'by a colleague of yours',
    other: 'by somebody who runs this directory, or was behind this emoji id before',
    directory: 'by the directory',
  },
  undone: 'An earlier change was undone',
  nothing: 'Nothing that shows was changed.',
  summary: (added: number, changed: number, removed: number) =>
    [
      added ? `${count(added, 'record', 'records')} added` : '',
      changed ? `${count(changed, 'record', 'records')} changed` : '',
      removed ? `${count(removed, 'record', 'records')} removed` : '',
    ]
      .filter(Boolean)
      .join(', ')
      .replace(/^./, (first) => first.toUpperCase()),
  putBack: 'Put back',
  takeAway: 'Take away again',
  isBack: 'Nothing of this change is left.',
  pages: 'Pages of the history',
}

export const proofTexts = {
  title: 'Proof',
  text: 'Anybody can check that nobody else wrote these records, without trusting us.',
  signed: (key: string) => `Signed by the key of this emoji id, ${key}.`,
  signedByOther: 'Signed by a key that does not have this emoji id any more.',
  unsigned:
    'Not signed: the key of this emoji id is not kept here. Its wallet can sign the records.',
  noRecords: 'There is nothing to prove yet.',
  fits: 'The fingerprint below is the one of the records that you see.',
  broken: 'The fingerprint does not fit the records. Tell our support.',
  root: 'Fingerprint of all records (merkle root)',
  version: (version: number) => `Version ${version}`,
  open: 'Open the proof as JSON',
}
