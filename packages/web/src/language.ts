/** What the app is written in. A language that is added here is asked for in every `texts.ts`. */
const languages = ['en'] as const

type Language = (typeof languages)[number]

/** The first of the wanted languages that there is; regions of one are the same. */
export const languageAmong = <Known extends string>(
  known: readonly [Known, ...Known[]],
  wanted: readonly string[],
): Known =>
  wanted
    .map((tag) => known.find((one) => one === tag.toLowerCase().split('-')[0]))
    .find((one) => one !== undefined) ?? known[0]

/** What this browser is spoken to in. */
export const language: Language = languageAmong(languages, globalThis.navigator?.languages ?? [])

/** Sentences of a page in every language, each with the same members as in English. */
export const messages = <Words>(words: { en: Words } & Record<Language, NoInfer<Words>>): Words =>
  words[language]
