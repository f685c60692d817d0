const idCount = (count: number) => (count === 1 ? 'one emoji id' : `${count} emoji ids`)
const range = (from: number, to: number) => (from === to ? String(from) : `${from} to ${to}`)

/** What somebody gets at once without knowing which before. */
export const lootboxTexts = {
  text: 'Sealed boxes with emoji ids. What is in one was drawn by chance when it was made, and you can check that nobody changed it.',
  caption: 'Your lootboxes',
  filters: 'Find a lootbox of yours',
  status: 'State',
  everyStatus: 'Every state',
  statuses: { Draft: 'Draft', Available: 'For sale', Owned: 'Closed', Used: 'Opened' },
  columns: { box: 'Lootbox', contents: 'What is in it', state: 'State', price: 'Price' },
  actions: 'Actions',
  gift: 'Lootbox filled by hand',
  ids: idCount,
  secret: 'A secret until you open it',
  more: (count: number) => `and ${count} more`,
  look: { closed: 'See and open', opened: 'See', sold: 'See the odds' },
  pages: 'Pages of lootboxes',
  none: 'You have no lootbox.',
  notFound: 'None of your lootboxes is in that state.',
  forSale: {
    title: 'Lootboxes for sale',
    text: 'Each is sealed already: what is in it was drawn when it was made. The odds are the same for all of a kind.',
    caption: 'Lootboxes for sale',
    hint: (count: number) =>
      count === 1
        ? 'One lootbox is for sale.'
        : `${count.toLocaleString('en')} lootboxes are for sale.`,
    open: 'See what is for sale',
    none: 'No lootbox is for sale right now.',
    notForOperators:
      'Operators can look into boxes that are closed. So that nobody has to wonder, they buy none here.',
    back: 'Your lootboxes',
  },
} as const

export const boxTexts = {
  all: 'Your lootboxes',
  toShop: 'Lootboxes for sale',
  title: 'Lootbox',
  missing: 'There is no such lootbox.',
  buy: 'Put it into the cart',
  price: 'Price',
  open: 'Open the box',
  openTitle: 'Open it now?',
  openText:
    'Its ids become yours at once. An open box cannot be closed, and not be given back any more.',
  openAction: 'Open it',
  opened: (count: number) => `It is open: ${idCount(count)} for you.`,
  inside: 'What was in it',
  score: (score: number) => `Score ${score}`,
  worth: 'Worth when the box was filled',
  average: 'Average score',
  manage: 'Manage',
}

export const oddsTexts = {
  title: 'The odds',
  size: (count: number, from: number, to: number) =>
    `${count === 1 ? 'One emoji id' : `${count} emoji ids`} of ${range(from, to)} emojis.`,
  guarantee: (count: number, from: number, to: number) =>
    `${count === 1 ? 'One of them has' : `${count} of them have`} a rhythm score of ${range(from, to)} for certain.`,
  chance: (slots: number) =>
    slots === 1 ? 'Chance decides about one of them:' : `Chance decides about ${slots} of them:`,
  certain: 'Nothing is left to chance.',
  score: 'The rarer an id looks, the higher its rhythm score, from 1 to 100.',
  caption: 'How likely which rhythm scores are',
  columns: { range: 'Rhythm score', each: 'Each id', box: 'At least one in the box' },
  range,
  oneIn: (count: string) => `1\u00A0in\u00A0${count}`,
  always: 'Certain',
  never: 'Never',
  almostAlways: 'More than 99.9%',
  byHand: 'A person filled this box: nothing in it was drawn, so there are no odds.',
}
