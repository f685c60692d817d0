import { describe, expect, it } from 'vitest'
import { type Currency, choose, currencies } from './currencies.ts'
import { detect } from './detect.ts'
import { noParts } from './parts.ts'

const bitcoin = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
const litecoin = 'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9'
const ether = '0x52908400098527886E0F7030069857D2E4169EE7'
const tickersOf = (text: string) => detect(text).found.map(({ ticker }) => ticker)
const currency = (wanted: string) =>
  currencies().find(({ ticker }) => ticker === wanted) as Currency
const chosen = (ticker: string, text: string, network = '') =>
  choose({ currency: currency(ticker), network }, { ...noParts, text })

describe('what an address can be', () => {
  it('is one currency where its form tells', () => {
    expect(tickersOf(litecoin)).toEqual(['LTC'])
    expect(detect(bitcoin)).toMatchObject({ strength: 'checksum', isTest: false })
  })

  it('is several where they share a form, the usual one first', () => {
    expect(tickersOf(ether).slice(0, 2)).toEqual(['ETH', 'BNB'])
    expect(tickersOf('1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa')).toEqual(['BTC', 'BSV'])
  })

  it('is nothing for a test network, for words and for mistakes', () => {
    const test = detect('tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx')
    expect(test).toMatchObject({ found: [], isTest: true })
    expect(tickersOf('hello')).toEqual([])
    expect(tickersOf(`${bitcoin.slice(0, -1)}q`)).toEqual([])
  })
})

describe('an address with a typing error', () => {
  it.each([
    [`${bitcoin.slice(0, -1)}q`, 'Bitcoin'],
    ['1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb', 'Bitcoin'],
    ['0x5AaeB6053F3E94C9b9A09f33669435E7Ef1BeAed', 'Ethereum'],
    [`${litecoin.slice(0, -1)}q`, 'Litecoin'],
  ])('%s is named', (text, name) => {
    expect(detect(text)).toMatchObject({ found: [], mistyped: name })
  })

  it.each([bitcoin, ether, 'hello', 'some words that are no address at all'])(
    '%s has none',
    (text) => expect(detect(text).mistyped).toBeUndefined(),
  )
})

describe('the record that an address becomes', () => {
  it('refuses and names an address of another chain', () => {
    expect(chosen('BTC', litecoin).is).toMatchObject({
      why: 'This is a Litecoin address, not a Bitcoin one.',
    })
  })

  it('is of the category that takes it', () => {
    const sub =
      '888tNkZrPN6JsEgekjMnABU4TBzc2Dt29EPAvkRxbANsAnjyPbb3iQ1YBRk1UXcdRsiKc9dhwMVgN5S9cQUiyoogDavup3H'
    expect(currency('XMR').name).toBe('Monero')
    expect(chosen('XMR', sub).tag).toBe('0x1002')
  })

  it('names the network if that is said', () => {
    expect(chosen('USDC', ether, 'MATIC')).toMatchObject({
      tag: '0x6300',
      data: `USDC|USD Coin|MATIC|${ether}||`,
    })
    expect(chosen('USDC', ether).tag).not.toBe('0x6300')
  })

  it('every currency can be written in some way', () => {
    for (const { tags, networks } of currencies())
      expect(tags.length + networks.length).toBeGreaterThan(0)
  })
})
