import { messages } from '../../../../platform/http/language.ts'

/** A form that did not come from its page. */
export const texts = messages({
  en: {
    title: 'Please start again',
    text: 'This form was not sent from its page, or your browser keeps no cookies. Nothing was done.',
    action: 'Start again',
  },
})
