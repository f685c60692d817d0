import { messages } from '../../../language.ts'

export const texts = messages({
  en: {
    table: 'Prices by score',
    title: 'New prices',
    text: 'Change prices, look at what ids would cost, and put them in force.',
    startsFrom: (version: number) => `You started from version ${version}.`,
    change: 'Change prices',
    from: 'Score from',
    to: 'Score to',
    how: 'How',
    ways: { set: 'Set to', percent: 'Change by percent', none: 'Not for sale' },
    amount: 'US dollars',
    amountHint: 'Such as 25 or 25.50.',
    percent: 'Percent',
    percentHint: 'Such as 10 or -15; rounded to whole dollars.',
    apply: 'Change these',
    wrongRange: 'Scores are from 1 to 100, and “from” is at most “to”.',
    priceless: 'Score 100 has no price: ids of one emoji are not sold. Go up to 99.',
    wrongAmount: 'At least 0.01 and at most 1,000,000 dollars.',
    wrongPercent: 'From -99 to 1,000.',
    applied: (number: number) =>
      number === 0
        ? 'Those cost that already.'
        : `${number} ${number === 1 ? 'price' : 'prices'} changed.`,
    startOver: 'Start over',
    preview: 'What ids would cost',
    ids: 'Emoji ids',
    idsHint: 'One in each line, or with blanks between.',
    random: 'Take ten by chance',
    wrongId: 'Not an emoji id',
    caption: 'What ids cost before and after',
    columns: { id: 'Emoji id', score: 'Score', before: 'Now', after: 'Then', change: 'Change' },
    unreleased: 'Not released: nobody gets it anyway',
    same: 'The same',
    noIds: 'Write some ids, or take ten by chance.',
    changes: (number: number) =>
      number === 0
        ? 'Nothing is changed yet.'
        : `${number} of 100 scores have another price than now.`,
    save: 'Put in force',
    confirm: {
      title: 'Put these prices in force?',
      text: (number: number) =>
        `${number} of 100 scores get another price, for everybody and at once. You can go back to an older version.`,
      done: (version: number) => `Version ${version} is in force.`,
    },
  },
})
