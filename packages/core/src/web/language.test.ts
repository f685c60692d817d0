import { expect, test } from 'vitest'
import { languageAmong } from './language.ts'

const languages = ['en', 'de', 'fr'] as const

test.each([
  { preferences: ['de-AT', 'en'], language: 'de' },
  { preferences: ['ja', 'FR-ca', 'de'], language: 'fr' },
  { preferences: ['ja'], language: 'en' },
  { preferences: [], language: 'en' },
])('$preferences selects $language', ({ preferences, language }) => {
  expect(languageAmong(languages, preferences)).toBe(language)
})
