import type { ErrorKind } from '../../errors.ts'
import { messages } from './language.ts'

/** Pages for errors. */
export const texts = messages({
  en: {
    titles: {
      invalid: 'This address doesn’t work',
      unauthenticated: 'Please sign in',
      forbidden: 'You don’t have access to this page',
      not_found: 'Page not found',
      in_flight: 'Still in progress',
      outdated: 'This has changed in the meantime',
      gone: 'No longer available',
      too_large: 'This is too large',
      refused: 'That didn’t work',
      second_factor: 'Please enter your code again',
      limited: 'Too many requests',
      suspended: 'This emoji id is suspended',
      unavailable: 'We’ll be back in a moment',
      unknown: 'Something went wrong on our side',
    } satisfies Record<ErrorKind | 'unknown', string>,
    mistyped: 'Check the address for typos.',
    takesOnly: (methods: readonly string[]) => `This address supports ${methods.join(', ')} only.`,
    tellNumber: (id: string) =>
      `Please try again. If the problem persists, contact us with this request id: ${id}`,
    wrongAddress: 'The address is incomplete, altered or too long. Copy it again.',
    toStart: 'Go to the start page',
    linksLabel: 'About this service',
    links: { terms: 'Terms', privacy: 'Privacy', imprint: 'Imprint', support: 'Support' },
  },
})
