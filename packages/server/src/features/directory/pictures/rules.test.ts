import { createRequire } from 'node:module'
import { displayFormat, emojiAlphabet, parseEmojiId, skinTones } from '@emojid/core'
import { describe, expect, it } from 'vitest'
import { drawingOf, iconsOf, isSame, locationsOf, readFileName, type Subject } from './rules.ts'

type Icons = { icons: Record<string, unknown>; aliases: Record<string, { parent: string }> }
const require = createRequire(import.meta.url)
const chars: Record<string, string> = require('@iconify-json/noto/chars.json')
const { icons, aliases }: Icons = require('@iconify-json/noto/icons.json')

const artOf = (emoji: string) => {
  const name = chars[iconsOf(emoji)[0] ?? ''] ?? ''
  return icons[name] ?? icons[aliases[name]?.parent ?? '']
}
const subject: Subject = {
  display_format: '🔥🐍',
  pubkey: 'aa',
  registered_at: new Date(1),
  stored_at: new Date(2),
  data: {},
}
const groundOf = (data: unknown, display_format = '🔥🐍') =>
  /<rect [^>]*fill="([^"]+)"/.exec(drawingOf({ ...subject, display_format, data }).still)?.[1]

describe('the art', () => {
  it('the art has every emoji of the alphabet', () => {
    expect(emojiAlphabet.filter((emoji) => !artOf(emoji))).toEqual([])
  })

  it('the art has every skin tone of emojis that take one', () => {
    const toned = emojiAlphabet.flatMap((emoji) =>
      skinTones
        .map((tone) => displayFormat(parseEmojiId(emoji), [tone]))
        .filter((other) => other !== emoji),
    )
    expect(toned.length).toBeGreaterThan(50)
    expect(toned.filter((emoji) => !artOf(emoji))).toEqual([])
    expect(new Set(toned.map((emoji) => iconsOf(emoji)[0])).size).toBe(toned.length)
  })
})

describe('a drawing', () => {
  it('a drawing shows the emojis in order, with the owner’s skin tones', () => {
    expect(iconsOf('👋🏽🌴❤️')).toEqual(['1f44b-1f3fd', '1f334', '2764'])
    const { still, frames } = drawingOf({ ...subject, display_format: '👋🏽🌴❤️' })
    for (const svg of [still, ...frames.svgs]) {
      expect(svg.match(/#art\d/g)).toEqual(['#art0', '#art1', '#art2'])
    }
  })

  it('a drawing has the background or the theme that the owner stored', () => {
    expect(groundOf({ background: '#12AbeF' })).toBe('#12abef')
    expect(groundOf({ theme: 'night' })).toBe('#2f3268')
    expect(groundOf({ theme: 'night', background: '#000000' })).toBe('#000000')
  })

  it.each([
    {},
    null,
    7,
    'night',
    ['night'],
    { theme: 'constructor' },
    { theme: 'toString' },
    { background: 'red' },
    { background: '#fff' },
    { background: '#12345g' },
    { background: '"/><script>' },
    { background: ['#123456'] },
    { theme: {} },
  ])('ignores other data: %j', (data) => {
    expect(groundOf(data)).toBe(groundOf(undefined))
    expect(groundOf(data)).toMatch(/^#[0-9a-f]{6}$/)
  })

  it('a drawing has a background that varies by id', () => {
    const ids = ['🔥', '🐍', '🔥🐍', '🐙🍕👑', '🎸🎸🎸', '🤖💎', '👋🌴', '🦀🌊']
    expect(new Set(ids.map((id) => groundOf({}, id))).size).toBeGreaterThan(2)
  })
})

it.each<Partial<Subject>>([
  { data: { a: 1 } },
  { pubkey: null },
  { display_format: '🔥🐍🔥' },
  { stored_at: new Date(3) },
  { registered_at: new Date(3) },
])('a subject with %j differs', (change) => {
  expect(isSame(subject, { ...subject })).toBe(true)
  expect(isSame(subject, { ...subject, ...change })).toBe(false)
})

describe('a picture file name', () => {
  const name = 'ab'.repeat(32)
  it('leads to the members that wallets read', () => {
    const files = (['png', 'gif', 'mp4', 'webm'] as const).map((format) => ({
      format,
      sha256: name,
    }))
    const at = `https://a.example/api/pictures/${name}`
    const locations = { image: `${at}.png`, gif: `${at}.gif`, video: `${at}.mp4` }
    expect(locationsOf(files, 'https://a.example/api')).toEqual({
      ...locations,
      webm: `${at}.webm`,
    })
    expect(readFileName(`${name}.webm`)).toEqual({ format: 'webm', sha256: name })
  })

  it.each(['', 'x', name, `${name}.svg`, `${name}.png.gif`, `${name.toUpperCase()}.png`])(
    'rejects %j',
    (file) => {
      expect(() => readFileName(file)).toThrow('no longer exists')
    },
  )
})
