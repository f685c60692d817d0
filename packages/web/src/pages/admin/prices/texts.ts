import { messages } from '../../../language.ts'

export const texts = messages({
  en: {
    text: 'What an emoji id costs depends on its score, from 1 to 100. The newest version is in force.',
    create: 'New version',
    inForce: (version: number) => `Version ${version} is in force`,
    since: 'Since',
    shipped: 'These are the prices that the service comes with.',
    score: (score: number) => `Score ${score}`,
    notForSale: 'Not for sale',
    was: 'was',
    history: 'Versions',
    columns: {
      version: 'Version',
      at: 'When',
      why: 'Why',
      changes: 'Changed scores',
      actions: 'Then',
    },
    fromStart: 'From the start',
    current: 'In force',
    changed: (number: number) => number.toLocaleString('en'),
    again: 'Start from it',
    who: 'Who',
    someone: 'An administrator',
  },
})
