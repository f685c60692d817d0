import { expect, it } from 'vitest'
import { isOneWord, quote } from './quote.ts'

it.each([
  ['My shop', '“My shop”'],
  ['Version 1.2 (backup)', '“Version 1.2 (backup)”'],
  ['x” was made. Call “us', '“x’ was made. Call ’us”'],
  ['Go to https://evil.example/a?b now', '“Go to … now”'],
  ['Log in at evil.example/x or www.evil.example', '“Log in at … or …”'],
  ['two\r\nlines\u202e', '“two lines ”'],
  ['e'.repeat(61), `“${'e'.repeat(60)}…”`],
])('%j is quoted as %j', (text, quoted) => {
  expect(quote(text)).toBe(quoted)
})

it.each(['a', 'a.', '-', '. '])('a million times %j is quoted without backtracking', (part) => {
  const text = part.repeat(1_000_000)
  expect(quote(text)).toMatch(/^“.{1,60}…”$/)
  expect(isOneWord(text)).toBe(!part.includes(' '))
})
