import { messages } from '../../../../platform/http/language.ts'

/** Words that are no name of an id. */
export const texts = messages({
  en: {
    title: 'This is no emoji id',
    near: 'Did you mean one of these?',
    search: 'Search for an id',
  },
})
