import { messages } from '../language.ts'

export const texts = messages({
  en: {
    somebodyElse: 'Somebody else signed in in another window. This page loads anew.',
    codeMissing:
      'This needs a code of your second factor. Try again, and give one when you are asked.',
  },
})
