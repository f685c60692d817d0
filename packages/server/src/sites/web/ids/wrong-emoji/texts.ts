import type { Html } from '../../../../platform/http/pages/html.ts'
import { html } from '../../../../platform/http/pages/html.ts'
import { messages } from '../../../../platform/http/pages/language.ts'

/** Emojis that are no id. */
export const texts = messages({
  en: {
    title: 'This isn’t an emoji id',
    check:
      'Check it, or ask the person you got it from. A similar id may belong to another person.',
    search: 'Search for an id',
    searchRest: (rest: Html) => html`Search with the rest: ${rest}`,
  },
})
