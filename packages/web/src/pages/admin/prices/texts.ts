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
