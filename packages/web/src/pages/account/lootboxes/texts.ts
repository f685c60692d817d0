import { messages } from '../../../language.ts'

/** The list of lootboxes. */
export const texts = messages({
  en: {
    text: 'Sealed boxes of emoji ids. The contents were drawn when the box was created, and you can verify that they never changed.',
    caption: 'Your lootboxes',
    filters: 'Find one of your lootboxes',
    status: 'State',
    everyStatus: 'All states',
    columns: { box: 'Lootbox', contents: 'Contents', state: 'State', price: 'Price' },
    actions: 'Actions',
    gift: 'Lootbox filled by hand',
    more: (count: number) => `and ${count} more`,
    look: { closed: 'View and open', opened: 'View', sold: 'See the odds' },
    pages: 'Lootbox pages',
    none: 'No lootboxes yet.',
    find: 'Find an emoji id',
    notFound: 'No lootboxes in this state.',
    forSale: {
      title: 'Lootboxes for sale',
      text: 'Each box is already sealed: its contents were drawn when it was created. All boxes of a type have the same odds.',
      caption: 'Lootboxes for sale',
      hint: (count: number) =>
        count === 1
          ? 'One lootbox is for sale.'
          : `${count.toLocaleString('en')} lootboxes are for sale.`,
      open: 'See lootboxes for sale',
      none: 'No lootboxes for sale right now.',
      notForOperators: 'Operators can see inside closed boxes, so they can’t buy them.',
      back: 'Your lootboxes',
    },
  },
})
