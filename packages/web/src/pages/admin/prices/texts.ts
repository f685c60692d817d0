import { messages } from '../../../language.ts'

export const texts = messages({
  en: {
    text: 'The price of an emoji id depends on its score, from 1 to 100. The newest version applies.',
    create: 'New version',
    inForce: (version: number) => `Version ${version} is in effect`,
    since: 'Since',
    shipped: 'These are the default prices.',
    score: (score: number) => `Score ${score}`,
    notForSale: 'Not for sale',
    was: 'was',
    curves: {
      byScore: 'Price by score',
      byLength: 'Price by number of emojis',
      scoreLabel: 'Price by score, from 1 to 100. Use the arrow keys to read each score.',
      lengthLabel:
        'Lowest and highest price by number of emojis. Use the arrow keys to read each number.',
      lines: { dollars: 'Price', lowest: 'Lowest price', highest: 'Highest price' },
      atScore: (score: number) => `Score ${score}`,
      table: 'Show as a table',
      columns: { length: 'Length', lowest: 'Lowest price', highest: 'Highest price' },
      emojis: (length: number) => (length === 1 ? '1 emoji' : `${length} emojis`),
    },
    history: 'Versions',
    columns: {
      version: 'Version',
      at: 'When',
      why: 'Reason',
      changes: 'Changed scores',
      actions: 'Actions',
    },
    fromStart: 'Default',
    current: 'In effect',
    changed: (number: number) => number.toLocaleString('en'),
    again: 'Start from it',
    who: 'Changed by',
    someone: 'An administrator',
  },
})
