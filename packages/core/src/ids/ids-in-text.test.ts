import { expect, it } from 'vitest'
import { idsInText } from './ids-in-text.ts'

it.each([
  ['🦀🌊 is taken.', ['🦀🌊', ' is taken.']],
  ['Not 👋🏽❤️, but 🔥', ['Not ', '👋🏽❤️', ', but ', '🔥']],
  ['🔥🔥🔥🔥🔥🔥🔥🔥', ['🔥🔥🔥🔥🔥🔥', '🔥🔥']],
  ['🦩 and ❤️‍🔥 cannot', ['🦩 and ❤️‍🔥 cannot']],
  ['', []],
])('%s contains these ids', (sentence, parts) => {
  const ids = idsInText(sentence)
  expect(ids.map(({ text }) => text)).toEqual(parts)
  for (const { text, isId } of ids) expect(isId).toBe(/^[^a-z]*$/.test(text))
})
