import type { Language, Messages } from '@emojid/core'

/**
 * The language of the current page. Pages read their texts once per request, so a second language
 * only needs `Accept-Language` here.
 */
export const currentLanguage = (): Language => 'en'

/** The texts of a page in the language of the current request. */
export const messages =
  <Words>(words: Messages<Words>) =>
  (): Words =>
    words[currentLanguage()]
