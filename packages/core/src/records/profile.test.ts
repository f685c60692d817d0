import { expect, it } from 'vitest'
import { avatarOf, longestAvatar, readProfile } from './profile.ts'

type Side = readonly [high: number, low: number]
const small: Side = [0, 160]
const large: Side = [0x1f, 0x40]
const urlOf = (format: string, bytes: readonly (number | string)[]): string => {
  const parts = bytes.map((part) => (typeof part === 'string' ? part : String.fromCharCode(part)))
  return `data:image/${format};base64,${btoa(parts.join(''))}`
}
const jpegOf = ([high, low]: Side) => {
  const start = '\xff\xd8\xff\xe0\0\x04\0\0\xff\xc0\0\x0b\x08'
  return urlOf('jpeg', [start, high, low, high, low, '\x01\x01\x11\0\xff\xda\0\x02'])
}
const pngOf = ([high, low]: Side) =>
  urlOf('png', [0x89, 'PNG\r\n\x1a\n\0\0\0\x0dIHDR', 0, 0, high, low, 0, 0, high, low])
const webpOf = ([high, low]: Side) =>
  urlOf('webp', ['RIFF\0\0\0\0WEBPVP8X', 0, 0, 0, 0, 0, 0, 0, 0, low, high, 0, low, high, 0])
const lossyOf = ([high, low]: Side) =>
  urlOf('webp', ['RIFF\0\0\0\0WEBPVP8 ', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, low, high, low, high])
const losslessOf = ([high, low]: Side) => {
  const bits = (high * 256 + low) * (1 + 2 ** 14)
  const bytes = [0, 8, 16, 24].map((place) => (bits >>> place) & 0xff)
  return urlOf('webp', ['RIFF\0\0\0\0WEBPVP8L', 0, 0, 0, 0, 0x2f, ...bytes])
}
const jpeg = jpegOf(small)

it('shows an avatar that is a small JPEG, PNG or WebP in a data URL', () => {
  expect(readProfile([], { title: 'Anna', avatar: jpeg }, null)).toEqual({
    title: 'Anna',
    avatar: jpeg,
    links: [],
  })
})

it.each([
  ['JPEG', jpegOf],
  ['PNG', pngOf],
  ['WebP', webpOf],
  ['lossy WebP', lossyOf],
  ['lossless WebP', losslessOf],
])('ignores an avatar of 8000 pixels: %s', (_, avatarOfSide) => {
  expect(avatarOf({ avatar: avatarOfSide(small) })).toBeDefined()
  expect(avatarOf({ avatar: avatarOfSide(large) })).toBeUndefined()
})

it.each([
  'https://tracker.example/me.png',
  'data:image/svg+xml;base64,PHN2Zy8+',
  'data:text/html;base64,/9j/4AAQ',
  'data:image/jpeg;base64,PHNjcmlwdD4=',
  'data:image/jpeg;base64,/9j/4AAQSkZJRg==',
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUg==',
  `${jpeg}" onerror="alert(1)`,
  `${jpeg}${'A'.repeat(longestAvatar)}`,
  { url: jpeg },
  7,
])('ignores the avatar %j', (avatar) => {
  expect(avatarOf({ avatar })).toBeUndefined()
})

it.each(['a', 'é'])('shows a link of 255 bytes, and ignores a longer one of %s', (letter) => {
  const path = letter.repeat(8)
  const longest = `https://example.com/${path}`.padEnd(
    255 - new TextEncoder().encode(path).length + path.length,
    'b',
  )
  const linksOf = (url: string) => readProfile([], { links: [url] }, null)?.links
  expect(linksOf(longest)).toMatchObject([{ url: new URL(longest).href }])
  expect(linksOf(`${longest}b`)).toEqual([])
})
