import { messages } from '../../../language.ts'

export const texts = messages({
  en: {
    table: 'Prices by score',
    title: 'New prices',
    text: 'Change prices, preview them, then put them into effect.',
    startsFrom: (version: number) => `Based on version ${version}.`,
    change: 'Change prices',
    from: 'Score from',
    to: 'Score to',
    how: 'Change',
    ways: { set: 'Set to', percent: 'Change by percent', none: 'Not for sale' },
    amount: 'US dollars',
    amountHint: 'Such as 25 or 25.50.',
    percent: 'Percent',
    percentHint: 'Such as 10 or -15; rounded to whole dollars.',
    apply: 'Apply',
    wrongRange: 'Enter scores from 1 to 100. “From” can’t be above “to”.',
    priceless: 'Score 100 has no price because single emojis aren’t for sale. Enter at most 99.',
    wrongAmount: 'Enter 0.01 to 1,000,000 dollars.',
    wrongPercent: 'Enter -99 to 1,000.',
    applied: (number: number) =>
      number === 0
        ? 'No change: the prices are already the same.'
        : `${number} ${number === 1 ? 'price' : 'prices'} changed.`,
    startOver: 'Start over',
    preview: 'Preview',
    ids: 'Emoji ids',
    idsHint: 'One per line, or separated by spaces.',
    random: 'Add ten random ids',
    wrongId: 'Not an emoji id',
    caption: 'Prices before and after',
    columns: { id: 'Emoji id', score: 'Score', before: 'Now', after: 'New', change: 'Change' },
    unreleased: 'Not released, so not for sale',
    same: 'Unchanged',
    noIds: 'Enter some ids, or add ten random ones.',
    changes: (number: number) =>
      number === 0 ? 'No changes yet.' : `${number} of 100 prices differ from the current version.`,
    save: 'Put into effect',
    confirm: {
      title: 'Put these prices into effect?',
      text: (number: number) =>
        `${number} of 100 prices change immediately for all buyers. You can return to an older version.`,
      done: (version: number) => `Version ${version} is in effect.`,
    },
  },
})
