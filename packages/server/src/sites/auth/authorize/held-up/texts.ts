import { messages } from '../../../../platform/http/language.ts'

/** An operator without a second factor. */
export const texts = messages({
  en: {
    title: 'Set up a second factor',
    text: 'Administrators log in nowhere without a second factor. Set one up first, then come back.',
    action: 'Set up a second factor',
  },
})
