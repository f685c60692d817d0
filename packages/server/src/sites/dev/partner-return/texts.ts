import { html } from '../../../platform/http/pages/html.ts'
import { messages } from '../../../platform/http/pages/language.ts'

/** The page to which the demonstration's partner returns buyers. */
export const texts = messages({
  en: {
    title: 'Back at the partner',
    text: html`The partner <code>demo</code> receives buyers back here, with these parameters:`,
    none: 'Nothing.',
  },
})
