import { describe, expect, it } from 'vitest'
import { idInAddress, inPlace, readEmojis, readText, textOf } from './read-text.ts'

const texts = (text: string) => readText(text).pieces.map((piece) => piece.text)
const faults = (text: string) => readText(text).pieces.map(({ fault }) => fault ?? '')

describe('typed text', () => {
  it.each([
    ['🔥🐍', ['🔥', '🐍']],
    ['🔥 🐍\n', ['🔥', '🐍']],
    ['fire.snake', ['🔥', '🐍']],
    ['Fire, SNAKE', ['🔥', '🐍']],
    ['palm tree fire', ['🌴', '🔥']],
    ['fire🐍palm-tree', ['🔥', '🐍', '🌴']],
    ['❤🔥', ['❤️', '🔥']],
    ['👋🏽', ['👋🏽']],
  ])('%s becomes emojis', (text, expected) => {
    expect(texts(text)).toEqual(expected)
    expect(readText(text).rest).toBe('')
    expect(faults(text).join('')).toBe('')
  })

  it('keeps a joined emoji as one invalid piece', () => {
    const { pieces } = readText('🐍❤️‍🔥')
    expect(pieces).toHaveLength(2)
    expect(pieces[1]).toMatchObject({
      text: '❤️‍🔥',
      fault: expect.stringContaining('joiner at position 2'),
    })
  })

  it('names the invalid emoji, its position and the reason', () => {
    expect(faults('🔥🦩')).toEqual([
      '',
      '🦩 at position 2 is not one of the emojis that an emoji id can use.',
    ])
    expect(faults('🇩🇪')[0]).toContain('flag at position 1')
    expect(faults('🐍🔥🏽')[1]).toBe('🔥 at position 2 can’t have a skin tone.')
  })

  it('updates the position after an earlier emoji is removed', () => {
    const { pieces } = readText('🔥🐍🦩')
    expect(inPlace(pieces.slice(1))[1]?.fault).toContain('at position 2')
  })

  it.each([
    ['https://ids.example/%F0%9F%94%A5%F0%9F%90%8D', '🔥🐍'],
    [' https://ids.example/🔥🐍/shop?x=1 ', '🔥🐍'],
    ['https://ids.example/fire.snake', 'fire.snake'],
    ['https://ids.example/?q=%F0%9F%94%A5', '🔥'],
    ['https://ids.example/%F0%9F', '%F0%9F'],
    ['https://other.example/🔥🐍', 'https://other.example/🔥🐍'],
    ['🔥🐍', '🔥🐍'],
    ['fire: snake', 'fire: snake'],
  ])('extracts the id from a page URL: %s', (text, expected) => {
    expect(idInAddress(text, 'https://ids.example')).toBe(expected)
  })

  it('keeps words that name no emoji', () => {
    expect(readText('fire quux')).toEqual({ pieces: [{ text: '🔥' }], rest: 'quux' })
  })

  it('reads emojis immediately and words later', () => {
    expect(readEmojis('🔥sna')).toEqual({ pieces: [{ text: '🔥' }], rest: 'sna' })
    expect(readEmojis('palm ')).toEqual({ pieces: [], rest: 'palm ' })
  })

  it('reads its own output', () => {
    const { pieces } = readText('👋🏽🔥❤️‍🔥🦩')
    expect(readText(textOf(pieces)).pieces).toEqual(pieces)
  })
})
