import type { ErrorKind } from '../errors.ts'
import { messages } from './language.ts'

/** Pages that tell of an error. */
export const texts = messages({
  en: {
    titles: {
      invalid: 'That address does not work',
      unauthenticated: 'Please sign in',
      forbidden: 'This is not yours to see',
      not_found: 'There is nothing here',
      in_flight: 'Still working on it',
      outdated: 'Somebody was quicker',
      too_large: 'That is too large',
      refused: 'That did not work',
      second_factor: 'Please enter your code again',
      limited: 'A little slower, please',
      unavailable: 'Back in a moment',
      unknown: 'Something broke on our side',
    } satisfies Record<ErrorKind | 'unknown', string>,
    mistyped: 'The address may be mistyped.',
    takesOnly: (methods: readonly string[]) => `This address takes ${methods.join(', ')} only.`,
    tellNumber: (id: string) => `Try again. If it stays so, tell us this number: ${id}`,
    wrongAddress: 'It is cut off, was changed on its way, or is too long. Copy it once more.',
    toStart: 'Go to the start page',
  },
})
