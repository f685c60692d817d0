import { describe, expect, it } from 'vitest'
import { idInAddress, inPlace, readEmojis, readText, textOf } from './read-text.ts'

const texts = (text: string) => readText(text).pieces.map((piece) => piece.text)
const faults = (text: string) => readText(text).pieces.map(({ fault }) => fault ?? '')

describe('what somebody wrote', () => {
  it.each([
    ['🔥🐍', ['🔥', '🐍']],
    ['🔥 🐍\n', ['🔥', '🐍']],
    ['fire.snake', ['🔥', '🐍']],
    ['Fire, SNAKE', ['🔥', '🐍']],
    ['palm tree fire', ['🌴', '🔥']],
    ['fire🐍palm-tree', ['🔥', '🐍', '🌴']],
    ['❤🔥', ['❤️', '🔥']],
    ['👋🏽', ['👋🏽']],
  ])('%s is understood', (text, expected) => {
    expect(texts(text)).toEqual(expected)
    expect(readText(text).rest).toBe('')
    expect(faults(text).join('')).toBe('')
  })

  it('keeps a joined emoji whole: it never becomes its parts', () => {
    const { pieces } = readText('🐍❤️‍🔥')
    expect(pieces).toHaveLength(2)
    expect(pieces[1]).toMatchObject({
      text: '❤️‍🔥',
      fault: expect.stringContaining('joiner at position 2'),
    })
  })

  it('says which emoji is wrong, counted from the start, and why', () => {
    expect(faults('🔥🦩')).toEqual([
      '',
      '🦩 at position 2 is not one of the emojis that an emoji id can use.',
    ])
    expect(faults('🇩🇪')[0]).toContain('flag at position 1')
    expect(faults('🐍🔥🏽')[1]).toBe('🔥 at position 2 can’t have a skin tone.')
  })

  it('counts anew when an emoji before the wrong one is gone', () => {
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
  ])('takes the id out of the address of its page: %s', (text, expected) => {
    expect(idInAddress(text, 'https://ids.example')).toBe(expected)
  })

  it('leaves words that name nothing', () => {
    expect(readText('fire quux')).toEqual({ pieces: [{ text: '🔥' }], rest: 'quux' })
  })

  it('takes emojis at once and words later, while somebody types', () => {
    expect(readEmojis('🔥sna')).toEqual({ pieces: [{ text: '🔥' }], rest: 'sna' })
    expect(readEmojis('palm ')).toEqual({ pieces: [], rest: 'palm ' })
  })

  it('reads again what it wrote', () => {
    const { pieces } = readText('👋🏽🔥❤️‍🔥🦩')
    expect(readText(textOf(pieces)).pieces).toEqual(pieces)
  })
})
