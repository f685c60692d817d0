import { messages } from '../../../../platform/http/pages/language.ts'

/** An unknown path below the address of an id. */
export const texts = messages({
  en: {
    title: 'Page not found',
    text: 'This emoji id has a page, but there’s nothing at this address.',
    action: 'Go to its page',
  },
})
