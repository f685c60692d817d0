import { expect, test } from 'vitest'
import { languageAmong } from './language.ts'

const known = ['en', 'de', 'fr'] as const

test.each([
  { wanted: ['de-AT', 'en'], language: 'de' },
  { wanted: ['ja', 'FR-ca', 'de'], language: 'fr' },
  { wanted: ['ja'], language: 'en' },
  { wanted: [], language: 'en' },
])('$wanted selects $language', ({ wanted, language }) => {
  expect(languageAmong(known, wanted)).toBe(language)
})
