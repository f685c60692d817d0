import { messages } from '../language.ts'

export const texts = messages({
  en: {
    unknown: 'Something went wrong. Try again.',
    offline: 'You seem to be offline. Check your connection and try again.',
    somebodyElse: 'Somebody else signed in in another window. This page loads anew.',
    codeMissing:
      'This needs a code of your second factor. Try again, and give one when you are asked.',
  },
})
