import { messages } from '../../../../platform/http/pages/language.ts'

/** Words that are no name of an id. */
export const texts = messages({
  en: {
    title: 'This isn’t an emoji id',
    near: 'Did you mean one of these?',
    search: 'Search for an id',
  },
})
