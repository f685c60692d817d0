import { messages } from '../../../language.ts'
import { count } from '../texts.ts'

export const texts = messages({
  en: {
    title: 'Lootbox types',
    text: 'Types define the odds of boxes, newest first. A type can’t be changed; create a new one instead.',
    create: 'New type',
    none: 'No types yet. Create one to draw boxes.',
    facts: (size: number, min: number, max: number) =>
      `${count(size, 'id')} of ${min === max ? count(min, 'emoji') : `${min} to ${max} emojis`}`,
    guaranteed: (number: number, min: number, max: number) =>
      `${number} guaranteed with a score of ${min} to ${max}`,
    price: 'Price',
    notSold: 'Not for sale',
    open: 'Active',
    exhausted: 'Exhausted',
    exhaustedText: 'No ids left in one of its ranges.',
    made: 'Created',
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
    sum: 'Total',
    slots: (slots: number, size: number) =>
      slots === size
        ? `All ${count(size, 'slot')} of a box are random.`
        : `${count(slots, 'slot')} of ${size} are random; the others are guaranteed.`,
    costs: 'Current price',
    nothing: 'no price',
    worth: 'Value of a box:',
    worthRange: 'at current prices.',
    unpriced: 'Ids that aren’t for sale have no price and aren’t counted.',
    worthless: 'The ids of a box aren’t for sale, so they have no price.',
    to: 'to',
    price: 'Price',
  },
})
