import { messages } from '../../../language.ts'
import { count } from '../texts.ts'

export const texts = messages({
  en: {
    parts: { label: 'Lootbox sections', boxes: 'Boxes', types: 'Types' },
    text: 'Every box, newest first. Ids in a box can’t be bought.',
    caption: 'Lootboxes',
    filters: 'Find lootboxes',
    search: 'Find',
    searchHint: 'Box id, the letters its owner sees, or the owner’s email address',
    status: 'State',
    everyStatus: 'All states',
    statuses: { Draft: 'Draft', Available: 'Available', Owned: 'Given', Used: 'Opened' },
    type: 'Type',
    everyType: 'All types',
    columns: {
      contents: 'Contents',
      status: 'State',
      type: 'Type',
      owner: 'Owner',
      worth: 'Value',
      made: 'Created',
    },
    pages: 'Lootbox pages',
    notFound: 'No matching boxes. Try another state or type.',
    none: 'No boxes yet. Draw some from a type, or fill one yourself.',
    fill: 'Fill a box',
    draw: 'Draw boxes',
  },
})

export const drawTexts = messages({
  en: {
    title: 'Draw boxes',
    text: 'Each box gets its own seed with a published hash, and stays a draft until you make it available or give it.',
    type: 'Type',
    noTypes: 'No type can draw boxes. Create one first.',
    count: 'Number of boxes',
    countHint: (most: number) => `At most ${most.toLocaleString('en')}.`,
    action: 'Draw',
    progress: (drawnCount: number, total: number) =>
      `${drawnCount.toLocaleString('en')} of ${count(total, 'box')} drawn …`,
    done: (drawnCount: number, total: number) =>
      drawnCount === total
        ? `${count(drawnCount, 'box')} drawn.`
        : `${drawnCount.toLocaleString('en')} of ${count(total, 'box')} drawn: no ids left in one of its ranges.`,
  },
})

export const fillTexts = messages({
  en: {
    title: 'Fill a box',
    text: 'You choose its ids. They can’t be bought afterwards.',
    status: 'State',
    statuses: { Draft: 'Draft', Available: 'Available: sealed', Owned: 'Given to a user' },
    owner: 'Email address of the owner',
    action: 'Create box',
    done: 'Box created.',
  },
})
