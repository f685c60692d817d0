import { type Language, languageAmong, languages, type Messages } from '@emojid/core'

/** The language of this browser. */
export const language: Language = languageAmong(languages, globalThis.navigator?.languages ?? [])

/** The texts of a page in the language of the browser. */
export const messages = <Words>(words: Messages<Words>): Words => words[language]
