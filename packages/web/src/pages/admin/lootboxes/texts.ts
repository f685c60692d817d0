import { messages } from '../../../language.ts'
import { count } from '../count.ts'

export const texts = messages({
  en: {
    parts: { label: 'Parts of lootboxes', boxes: 'Boxes', types: 'Types' },
    text: 'Every box, newest first. Nobody else gets the ids that are in one.',
    caption: 'Lootboxes',
    filters: 'Find lootboxes',
    search: 'Find',
    searchHint: 'Id of a box, the letters that its owner sees, or the owner’s e-mail address',
    status: 'State',
    everyStatus: 'Every state',
    statuses: { Draft: 'Draft', Available: 'Available', Owned: 'Given', Used: 'Opened' },
    type: 'Type',
    everyType: 'Every type',
    columns: {
      contents: 'Contents',
      status: 'State',
      type: 'Type',
      owner: 'Owner',
      worth: 'Worth',
      made: 'Made',
    },
    pages: 'Pages of lootboxes',
    notFound: 'No box is like that. Try another state or type.',
    none: 'There is no box yet. Draw some by a type, or fill one yourself.',
    fill: 'Fill a box',
    draw: 'Draw boxes',
  },
})

export const drawTexts = messages({
  en: {
    title: 'Draw boxes',
    text: 'Each gets a seed of its own, whose hash is published, and is a draft until you offer or give it.',
    type: 'Type',
    noTypes: 'There is no type that draws boxes. Make one first.',
    count: 'How many boxes',
    countHint: 'At most 1,000.',
    action: 'Draw them',
    progress: (made: number, wanted: number) =>
      `${made.toLocaleString('en')} of ${count(wanted, 'box')} drawn …`,
    done: (made: number, wanted: number) =>
      made === wanted
        ? `${count(made, 'box')} drawn.`
        : `${made.toLocaleString('en')} of ${count(wanted, 'box')} drawn: ids of one of its ranges ran out.`,
  },
})

export const fillTexts = messages({
  en: {
    title: 'Fill a box',
    text: 'You choose its ids. Nobody else can buy them from then on.',
    status: 'State',
    statuses: { Draft: 'Draft', Available: 'Available: sealed', Owned: 'Given to somebody' },
    owner: 'E-mail address of the owner',
    action: 'Make the box',
    done: 'The box is made.',
  },
})
