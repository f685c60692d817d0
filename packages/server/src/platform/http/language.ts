import type { Language, Messages } from '@emojid/core'

/**
 * The language of the page that is being answered. Pages ask for their sentences once per request, so
 * reading `Accept-Language` here is all that a second language needs.
 */
export const currentLanguage = (): Language => 'en'

/** The sentences of a page, in the language of the request that it is called in. */
export const messages =
  <Words>(words: Messages<Words>) =>
  (): Words =>
    words[currentLanguage()]
