/** The languages of pages. A language added here is required in every `texts.ts`. */
export const languages = ['en'] as const

export type Language = (typeof languages)[number]

/** The texts of a page in every language, each with the same members as in English. */
export type Messages<Words> = { en: Words } & Record<Language, NoInfer<Words>>

/** The first available of the wanted languages, ignoring regions. */
export const languageAmong = <Known extends string>(
  languages: readonly [Known, ...Known[]],
  preferences: readonly string[],
): Known =>
  preferences
    .map((tag) => languages.find((one) => one === tag.toLowerCase().split('-')[0]))
    .find((one) => one !== undefined) ?? languages[0]
