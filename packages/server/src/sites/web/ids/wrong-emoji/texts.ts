import type { Html } from '../../../../platform/http/html.ts'
import { html } from '../../../../platform/http/html.ts'
import { messages } from '../../../../platform/http/language.ts'

/** Emojis that are no id. */
export const texts = messages({
  en: {
    title: 'This is no emoji id',
    check:
      'Check it, or ask the person who gave it to you. An id that only looks alike belongs to somebody else.',
    search: 'Search for an id',
    searchRest: (rest: Html) => html`Search with the rest: ${rest}`,
  },
})
