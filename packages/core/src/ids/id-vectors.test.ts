import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { EmojiIdError } from './emoji-id-error.ts'
import { chainFormat, emojisOf, toDisplayFormat } from './formats.ts'
import { decodeSegment, type EmojiId, parseEmojiId, parseEmojiIdSegment } from './parse.ts'
import { rhythmScore } from './rhythm.ts'
import { shapeOf } from './shape.ts'
import { parseShortname, shortname } from './shortnames.ts'

type Vector = {
  name: string
  input: string | null
  percent: string
  error?: string
  same_as?: string
  canonical: string
  chain: string
  display: string
  shortname: string
  length: number
  shape: string | null
  rhythm: number
}

const file = new URL('../../test-vectors/id-vectors.json', import.meta.url)
const vectors: Vector[] = JSON.parse(readFileSync(file, 'utf8')).vectors

describe('the shared id vectors', () => {
  it('the shared id vectors are complete', () => expect(vectors).toHaveLength(203))

  it.each(vectors.filter((v) => v.error === undefined))('accepts $name', (v) => {
    const id = parseEmojiIdSegment(v.percent)
    expect({
      input: decodeSegment(v.percent),
      canonical: id,
      chain: chainFormat(id),
      display: toDisplayFormat(v.input as string),
      shortname: shortname(id),
      length: emojisOf(id).length,
      shape: shapeOf(id),
      rhythm: rhythmScore(id),
    }).toEqual({
      input: v.input,
      canonical: v.canonical,
      chain: v.chain,
      display: v.display,
      shortname: v.shortname,
      length: v.length,
      shape: v.shape,
      rhythm: v.rhythm,
    })
    for (const spelling of [v.input as string, v.canonical, v.chain, v.display])
      expect(parseEmojiId(spelling)).toBe(v.canonical)
    expect(toDisplayFormat(v.display)).toBe(v.display)
    expect(parseShortname(v.shortname)).toBe(v.canonical)
    expect(parseEmojiIdSegment(encodeURIComponent(v.canonical))).toBe(v.canonical)
  })

  it.each(vectors.filter((v) => v.same_as !== undefined))('$name equals its twin', (v) => {
    const twin = vectors.find((other) => other.name === v.same_as) as Vector
    expect(parseEmojiIdSegment(v.percent)).toBe(parseEmojiIdSegment(twin.percent))
  })

  it.each(vectors.filter((v) => v.error !== undefined))('rejects $name as $error', (v) => {
    expect(kindOf(() => parseEmojiIdSegment(v.percent))).toBe(v.error)
    if (v.input !== null) expect(kindOf(() => parseEmojiId(v.input as string))).toBe(v.error)
  })
})

function kindOf(parse: () => EmojiId): string {
  try {
    return `accepted ${parse()}`
  } catch (error) {
    if (error instanceof EmojiIdError) return error.kind
    throw error
  }
}
