import { html } from '../../../platform/http/html.ts'
import { messages } from '../../../platform/http/language.ts'

/** Where the demonstration's partner gets people back. */
export const texts = messages({
  en: {
    title: 'Back at the partner',
    text: html`The partner <code>demo</code> gets people back here, with:`,
    none: 'Nothing.',
  },
})
