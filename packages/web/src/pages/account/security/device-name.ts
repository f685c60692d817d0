import { texts as pageTexts } from './texts.ts'

const texts = pageTexts.sessions

/** Specific names come first: most user agents also contain Chrome and Safari. */
const browsers = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/(?:Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
] as const

const systems = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
] as const

const firstIn = (patterns: readonly (readonly [RegExp, string])[], text: string) =>
  patterns.find(([pattern]) => pattern.test(text))?.[1]

/** The browser and system of a user agent. */
export function deviceName(userAgent: string | null): string {
  if (!userAgent) return texts.unknown
  const [browser, system] = [firstIn(browsers, userAgent), firstIn(systems, userAgent)]
  if (browser && system) return texts.on(browser, system)
  const [program = ''] = userAgent.split(/[\s/]/)
  return browser ?? (program.slice(0, 40) || texts.unknown)
}
