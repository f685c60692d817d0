import { messages } from '../../../language.ts'
import { count } from '../count.ts'

export const texts = messages({
  en: {
    title: 'Lootbox types',
    text: 'What boxes are drawn by, newest first. A type is never changed: its odds are a promise. Make another one instead.',
    create: 'New type',
    none: 'There is no type yet. Boxes are drawn by one: make it first.',
    facts: (size: number, min: number, max: number) =>
      `${count(size, 'id')} of ${min === max ? count(min, 'emoji') : `${min} to ${max} emojis`}`,
    guaranteed: (number: number, min: number, max: number) =>
      `${number} with a score of ${min} to ${max} for certain`,
    price: 'Sold for',
    notSold: 'Not sold',
    open: 'Draws boxes',
    exhausted: 'Draws no more',
    exhaustedText: 'Ids of one of its ranges ran out.',
    made: 'Made',
    draw: 'Draw boxes',
    boxes: 'Its boxes',
  },
})

export const oddsTexts = messages({
  en: {
    caption: (name: string) => `Odds of ${name}`,
    scores: 'Scores',
    slot: 'Each slot',
    box: 'At least one in a box',
    range: (min: number, max: number) => (min === max ? `${min}` : `${min}–${max}`),
    sum: 'Together',
    slots: (slots: number, size: number) =>
      slots === size
        ? `Chance decides all ${count(size, 'slot')} of a box.`
        : `Chance decides ${count(slots, 'slot')} of ${size}; the others are guaranteed.`,
    costs: 'Costs today',
    nothing: 'no price',
    worth: 'A box is worth',
    worthRange: 'at today’s prices, whatever chance decides.',
    unpriced: 'Ids that are not for sale have no price and are left out.',
    worthless: 'The ids of a box are not for sale: they have no price.',
    to: 'to',
    price: 'It is sold for',
  },
})
