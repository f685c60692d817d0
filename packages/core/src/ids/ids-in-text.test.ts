import { expect, it } from 'vitest'
import { idsInText } from './ids-in-text.ts'

it.each([
  ['🦀🌊 is taken.', ['🦀🌊', ' is taken.']],
  ['Not 👋🏽❤️, but 🔥', ['Not ', '👋🏽❤️', ', but ', '🔥']],
  ['🔥🔥🔥🔥🔥🔥🔥🔥', ['🔥🔥🔥🔥🔥🔥', '🔥🔥']],
  ['🦩 and ❤️‍🔥 cannot', ['🦩 and ❤️‍🔥 cannot']],
  ['', []],
])('%s contains these ids', (sentence, parts) => {
  const found = idsInText(sentence)
  expect(found.map(({ text }) => text)).toEqual(parts)
  for (const { text, isId } of found) expect(isId).toBe(/^[^a-z]*$/.test(text))
})
