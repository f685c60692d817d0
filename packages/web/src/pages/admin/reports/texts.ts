import { messages } from '../../../language.ts'

export const texts = messages({
  en: {
    text: 'Emoji ids that visitors reported. Open reports are sorted oldest first.',
    filters: 'Find reports',
    state: 'State',
    openOnly: 'Open',
    states: { decided: 'Decided', every: 'All states' },
    category: 'Category',
    everyCategory: 'All categories',
    id: 'Emoji id',
    from: 'From (UTC)',
    to: 'Until (UTC)',
    caption: 'Reports',
    columns: {
      id: 'Emoji id',
      category: 'Category',
      text: 'Text',
      state: 'State',
      when: 'Reported',
      actions: 'Actions',
    },
    times: (times: number) => `reported ${times} times`,
    otherTexts: (count: number) => (count === 1 ? '1 other text' : `${count} other texts`),
    openReports: (count: number) => `${count} open`,
    look: 'View',
    pages: 'Report pages',
    notFound: 'No matching reports.',
  },
})
