import { messages } from '../../../language.ts'

/** What somebody gets at once without knowing which before. */
export const texts = messages({
  en: {
    text: 'Sealed boxes with emoji ids. What is in one was drawn by chance when it was made, and you can check that nobody changed it.',
    caption: 'Your lootboxes',
    filters: 'Find a lootbox of yours',
    status: 'State',
    everyStatus: 'Every state',
    columns: { box: 'Lootbox', contents: 'What is in it', state: 'State', price: 'Price' },
    actions: 'Actions',
    gift: 'Lootbox filled by hand',
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
  },
})
