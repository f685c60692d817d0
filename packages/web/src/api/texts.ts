import { messages } from '../language.ts'

export const texts = messages({
  en: {
    unknown: 'Something went wrong. Try again.',
    offline: 'You seem to be offline. Check your connection and try again.',
    otherAccount: 'Another account signed in in a different window. This page reloads.',
    codeMissing: 'This needs a code from your second factor. Try again and enter one when asked.',
  },
})
