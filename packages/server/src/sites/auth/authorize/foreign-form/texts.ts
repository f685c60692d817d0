import { messages } from '../../../../platform/http/pages/language.ts'

/** A form that another page sent. */
export const texts = messages({
  en: {
    title: 'Please start again',
    text: 'We couldn’t verify this form, so nothing changed. Allow cookies for this site and start again.',
    action: 'Start again',
  },
})
