import { describe, expect, it } from 'vitest'
import { type Currency, choose, currencies } from './currencies.ts'
import { detect } from './detect.ts'
import { noParts } from './parts.ts'

const bitcoin = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
const litecoin = 'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9'
const ether = '0x52908400098527886E0F7030069857D2E4169EE7'
const tickersOf = (text: string) => detect(text).currencies.map(({ ticker }) => ticker)
const currency = (symbol: string) =>
  currencies().find(({ ticker }) => ticker === symbol) as Currency
const chooseTag = (ticker: string, text: string, network = '') =>
  choose({ currency: currency(ticker), network }, { ...noParts, text })

describe('the detected currency', () => {
  it('the detected currency is one if the format is unique', () => {
    expect(tickersOf(litecoin)).toEqual(['LTC'])
    expect(detect(bitcoin)).toMatchObject({ strength: 'checksum', isTest: false })
  })

  it('the detected currency is a list if several share the format, the most common first', () => {
    expect(tickersOf(ether).slice(0, 2)).toEqual(['ETH', 'BNB'])
    expect(tickersOf('1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa')).toEqual(['BTC', 'BSV'])
  })

  it('the detected currency is empty for test networks, words and typos', () => {
    const test = detect('tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx')
    expect(test).toMatchObject({ currencies: [], isTest: true })
    expect(tickersOf('hello')).toEqual([])
    expect(tickersOf(`${bitcoin.slice(0, -1)}q`)).toEqual([])
  })
})

describe('an address with a typo', () => {
  it.each([
    [`${bitcoin.slice(0, -1)}q`, 'Bitcoin'],
    ['1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb', 'Bitcoin'],
    ['0x5AaeB6053F3E94C9b9A09f33669435E7Ef1BeAed', 'Ethereum'],
    [`${litecoin.slice(0, -1)}q`, 'Litecoin'],
  ])('%s names the currency', (text, name) => {
    expect(detect(text)).toMatchObject({ currencies: [], mistyped: name })
  })

  it.each([bitcoin, ether, 'hello', 'some words that are no address at all'])(
    '%s has none',
    (text) => expect(detect(text).mistyped).toBeUndefined(),
  )
})

describe('the record of an address', () => {
  it('rejects an address of another chain by name', () => {
    expect(chooseTag('BTC', litecoin).is).toMatchObject({
      why: 'This is a Litecoin address, not a Bitcoin one.',
    })
  })

  it('uses the tag that accepts the address', () => {
    const sub =
      '888tNkZrPN6JsEgekjMnABU4TBzc2Dt29EPAvkRxbANsAnjyPbb3iQ1YBRk1UXcdRsiKc9dhwMVgN5S9cQUiyoogDavup3H'
    expect(currency('XMR').name).toBe('Monero')
    expect(chooseTag('XMR', sub).tag).toBe('0x1002')
  })

  it('names the chosen network', () => {
    expect(chooseTag('USDC', ether, 'MATIC')).toMatchObject({
      tag: '0x6300',
      data: `USDC|USD Coin|MATIC|${ether}||`,
    })
    expect(chooseTag('USDC', ether).tag).not.toBe('0x6300')
  })

  it('exists for every currency', () => {
    for (const { tags, networks } of currencies())
      expect(tags.length + networks.length).toBeGreaterThan(0)
  })
})
