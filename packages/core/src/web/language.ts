/** The languages of the pages. With a new one, the compiler demands its texts in every `texts.ts`. */
export const languages = ['en'] as const

export type Language = (typeof languages)[number]

/** Sentences of a page in every language, each with the same members as in English. */
export type Messages<Words> = { en: Words } & Record<Language, NoInfer<Words>>

/** The first of the wanted languages that there is; regions of one are the same. */
export const languageAmong = <Known extends string>(
  known: readonly [Known, ...Known[]],
  wanted: readonly string[],
): Known =>
  wanted
    .map((tag) => known.find((one) => one === tag.toLowerCase().split('-')[0]))
    .find((one) => one !== undefined) ?? known[0]
