import { type Language, languageAmong, languages, type Messages } from '@emojid/core'

/** What this browser is spoken to in. */
export const language: Language = languageAmong(languages, globalThis.navigator?.languages ?? [])

/** The sentences of a page in the language of the browser. */
export const messages = <Words>(words: Messages<Words>): Words => words[language]
