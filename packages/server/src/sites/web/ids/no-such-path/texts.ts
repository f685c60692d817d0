import { messages } from '../../../../platform/http/language.ts'

/** An address below that of an id, which leads nowhere. */
export const texts = messages({
  en: {
    title: 'There is nothing here',
    text: 'This id has a page, but nothing behind this address.',
    action: 'Go to its page',
  },
})
