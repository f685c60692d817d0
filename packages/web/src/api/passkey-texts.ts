import { messages } from '../language.ts'

/** Separate from the texts of every page, because their script is at its size limit. */
export const passkeyTexts = messages({
  en: {
    aborted: 'No passkey was used. Try again, or choose another way.',
    use: 'Use a passkey',
    known: 'This device already has a passkey for your account.',
  },
})
