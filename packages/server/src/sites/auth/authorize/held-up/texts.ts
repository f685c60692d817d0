import { messages } from '../../../../platform/http/pages/language.ts'

/** For operators without a second factor. */
export const texts = messages({
  en: {
    title: 'Set up a second factor',
    text: 'Administrators need a second factor to sign in. Set one up, then come back.',
    action: 'Set up a second factor',
  },
})
