import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { mainTicker } from '../addresses/main-ticker.ts'
import { knownTokens } from './known-tokens.ts'
import { RecordError } from './record-error.ts'
import { addedTags, tagUses } from './tag-additions.ts'
import { isSingleValue, knownTags, parseTag, parseTagList, tagClass, tagInfo } from './tags.ts'
import { isCurrency, tagsOfTicker, tagsOfTickerOrThrow } from './tickers.ts'

type Row = { tag: string; max_bytes?: number; payment?: boolean }
const file = new URL('../../data/tags.v1.json', import.meta.url)
const data = JSON.parse(readFileSync(file, 'utf8'))

describe('the tag list', () => {
  it('contains every category of the frozen table, and the added ones', () => {
    const rows: Row[] = data.tags
    const expected = rows.map((row) => ({
      ...row,
      payment: row.payment === true,
      max_bytes: row.max_bytes ?? null,
    }))
    const added = addedTags.map(({ tag }) => tag)
    expect(knownTags().filter(({ tag }) => !added.includes(tag))).toEqual(expected)
    expect(knownTags()).toHaveLength(rows.length + added.length)
    expect(knownTokens()).toEqual(data.tokens_0x6300)
  })

  it('adds categories with a number, a ticker and a name that no other one has, in a known class', () => {
    const numbers = knownTags().map(({ tag }) => tag)
    expect(numbers.toSorted()).toEqual(numbers)
    for (const { tag, name, ticker } of addedTags) {
      const rivals = knownTags().filter((one) => one.tag !== tag)
      expect(
        rivals.filter((one) => one.name === name),
        `The name ${name} is in use.`,
      ).toEqual([])
      expect(
        rivals.filter((one) => ticker !== undefined && one.ticker === ticker),
        `The ticker ${ticker} is in use.`,
      ).toEqual([])
      expect(parseTag(tag), 'Write a tag in lower case, with four digits.').toBe(tag)
      expect(tagClass(parseTag(tag)), `${tag} is in no class of data/tags.v1.json.`).not.toBe(
        'unknown',
      )
    }
  })

  it('the tag list has the uses of known categories only', () => {
    const tags: string[] = knownTags().map(({ tag }) => tag)
    expect(Object.keys(tagUses).filter((tag) => !tags.includes(tag))).toEqual([])
  })
})

describe('parseTag', () => {
  it.each([
    ['0x1003', '0x1003'],
    ['0X10FF', '0x10ff'],
    ['0x1', '0x0001'],
  ])('parses %s as %s', (text, tag) => expect(parseTag(text)).toBe(tag))

  it.each([
    '',
    '0x',
    '0x10000',
    '1003',
    '4099',
    '0',
    '1003h',
    '-1',
    '0x1.5',
    ' 0x1003',
    '１',
    'BTC',
  ])('rejects %j', (text) => expect(() => parseTag(text)).toThrow(RecordError))

  it('explains the accepted format', () => {
    const words = 'Use 0x and up to four hex digits, such as 0x1003.'
    expect(() => parseTagList('0x1004,1003')).toThrow(`“1003” is not a record category. ${words}`)
  })

  it('parses lists', () => {
    expect(parseTagList('0x1003,0X1004, 0x1003,')).toEqual(['0x1003', '0x1004'])
    expect(parseTagList('')).toEqual([])
    expect(() => parseTagList('0x1003,what')).toThrow(RecordError)
  })
})

describe('a category', () => {
  it.each([
    ['0x0101', 'chain', false],
    ['0x0004', 'chain', true],
    ['0x1003', 'crypto', true],
    ['0x2abc', 'crypto', true],
    ['0x4001', 'internet', false],
    ['0x4201', 'dns', false],
    ['0x5001', 'text', false],
    ['0x6000', 'social', false],
    ['0x6101', 'location', false],
    ['0x6200', 'payment', false],
    ['0x6300', 'token', false],
    ['0x7000', 'unknown', false],
  ])('%s is of class %s; single value: %s', (text, name, single) => {
    const tag = parseTag(text)
    expect([tagClass(tag), isSingleValue(tag)]).toEqual([name, single])
  })
})

describe('a ticker', () => {
  it.each([
    ['BTC', ['0x1003']],
    ['btc', ['0x1003']],
    ['XMR', ['0x1001', '0x1002']],
    ['XTR', ['0x0101', '0x0103']],
    ['POL', ['0x1029']],
    ['XNO', ['0x104d']],
    ['LUNC', ['0x102b']],
    ['iota', ['0x102f']],
  ])('%s stands for %j', (ticker, tags) => {
    expect(tagsOfTicker(ticker)).toEqual(tags)
    expect(tagsOfTickerOrThrow(ticker)).toEqual(tags)
  })

  it.each(['NOPE', 'ſOL', 'constructor', '__proto__'])('%j is unknown', (ticker) => {
    expect(tagsOfTicker(ticker)).toBeUndefined()
    expect(() => tagsOfTickerOrThrow(ticker)).toThrow('is not a known currency')
  })

  it.each(['BTC', 'usdc', 'USDC:ETH', '0x6300:USDC:eth', '0x1003', '0x3FFF', '0x6300', 'DAI:base'])(
    '%s is a currency',
    (text) => expect(isCurrency(text)).toBe(true),
  )
  it.each(['NOPE', 'bitcoin', '', '0x6200', '0x4001', '4099', 'USDC:NOPE', 'USDC:ETH:x', ':ETH'])(
    '%j is not a currency',
    (text) => expect(isCurrency(text)).toBe(false),
  )

  it('a ticker has one main name', () => {
    expect(mainTicker('pol')).toBe('MATIC')
    expect(tagInfo(parseTag('0x1029'))?.ticker).toBe('MATIC')
  })
})
