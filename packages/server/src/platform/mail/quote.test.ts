import { expect, it } from 'vitest'
import { isOneWord, quote } from './quote.ts'

it.each([
  ['My shop', '“My shop”'],
  ['Version 1.2 (backup)', '“Version 1.2 (backup)”'],
  ['x” was made. Call “us', '“x’ was made. Call ’us”'],
  ['Go to https://evil.example/a?b now', '“Go to … now”'],
  ['Log in at evil.example/x or www.evil.example', '“Log in at … or …”'],
  ['two\r\nlines\u202e', '“two lines”'],
  ['e'.repeat(61), `“${'e'.repeat(60)}…”`],
])('%j is quoted as %j', (text, quoted) => {
  expect(quote(text)).toBe(quoted)
})

it.each([
  'evil\u2024com',
  'evil\uFF0Ecom',
  'evil\uFF61com/x',
  'evil\u200B.\u2060com',
  'e\u00ADvil.c\u034Fom',
  'https\u200B:/\u200B/evil',
  'evil\uFEFF.com',
  'https:/\uFEFF/evil',
  '\\\\evil\\x',
  '＼＼evil',
  '//evil/x',
  '🔥.ws',
  '🔥evil\u200D.com',
  'ｅｖｉｌ．ｃｏｍ',
  '1.2.3.4/x',
  '1\u20242.3.4',
  'tel:+15551234',
  '(mailto:a)',
  't\u200Bel:112',
  '[2001:db8::1]/x',
  '[::ffff:1.2.3.4]',
  '3232235777/x',
  '0xc0a80101/x',
])('%j is no part of a quotation', (text) => {
  expect(quote(`Look at ${text} now`)).toBe('“Look at … now”')
  expect(isOneWord(text)).toBe(false)
})

it.each([
  '+1 (555) 123-4567',
  '5551234567',
  '555 - 123 - 4567',
  '+49.171.1234567',
  '5\u200B551234567',
  '５５５１２３４５６７',
  '٠١٢٣٤٥٦٧٨٩',
])('the phone number %j is no part of a quotation', (text) => {
  expect(quote(`Call ${text} now`)).toBe('“Call … now”')
})

it.each([
  'Backup of 2026-11-19 for 1,000 ids [a:z]',
  'Pays 192 . 168 . 100 . 200 for 123456',
  'Hi:) Version 1.2.3 of 3.5.2026, 10:30',
  'Hotel: Alpha… and so on.',
  '👨‍👩‍👧 and 🏴󠁧󠁢󠁥󠁮󠁧󠁿 and ❤️',
])('%j is quoted as it is', (text) => {
  expect(quote(text)).toBe(`“${text}”`)
})

it.each(['a', 'a.', '-', '. '])('a million times %j is quoted without backtracking', (part) => {
  const text = part.repeat(1_000_000)
  expect(quote(text)).toMatch(/^“.{1,60}…”$/)
  expect(isOneWord(text)).toBe(!part.includes(' '))
})
