import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildAddressData, parseAddressData } from './address-data.ts'
import { checkRecord } from './check-record.ts'
import { knownTokens } from './known-tokens.ts'
import { RecordError } from './record-error.ts'
import {
  buildTickerAddress,
  buildTokenData,
  parseTickerAddress,
  parseTokenData,
} from './token-data.ts'

const BTC = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'
const ETH = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const SUB =
  '888tNkZrPN6JsEgekjMnABU4TBzc2Dt29EPAvkRxbANsAnjyPbb3iQ1YBRk1UXcdRsiKc9dhwMVgN5S9cQUiyoogDavup3H'
const STANDARD =
  '4AdUndXHHZ6cfufTMvppY6JwXNouMBzSkbLYfpAV5Usx3skxNgYeYTRj5UzqtReoS44qo9mtmXCqY45DJ852K5Jv2684Rge'
const TRON = 'TUrMmF9Gd4rzrXsQ34ui3Wou94E7HFuJQh'
const SOL = 'AHy6YZA8BsHgQfVkk7MbwpAN94iyN7Nf1zN4nPqUN32Q'
const TON = 'EQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPrHF'
const INJ = 'inj1t2htvpfl862vnwdqnuekd9p4ulh3h6hda7frn9'
const KEY = 'ab'.repeat(32)

describe('an accepted record', () => {
  it.each([
    ['a bare address', '0x1003', BTC, BTC, 'checksum'],
    ['an address with its parts', '0x1003', `${BTC}|shop|sig|t`, `${BTC}|shop|sig|t`, 'checksum'],
    ['a default without description', '0x1003', `${BTC}|||t`, `${BTC}|||t`, 'checksum'],
    ['empty parts, which are dropped', '0x1003', `${BTC}|||`, BTC, 'checksum'],
    ['a tag in upper case', '0X1003', BTC, BTC, 'checksum'],
    ['Ethereum without 0x', '0x1004', ETH.slice(2).toLowerCase(), ETH, 'format'],
    ['Ethereum with a description', '0x1004', `${ETH.toLowerCase()}|main`, `${ETH}|main`, 'format'],
    ['a standard Monero address', '0x1001', STANDARD, STANDARD, 'checksum'],
    ['a Monero sub address', '0x1002', SUB, SUB, 'checksum'],
    ['a crypto tag without name', '0x2abc', 'some-address|x', 'some-address|x', 'none'],
    ['another currency', '0x3fff', 'abc|whatever', 'ABC|whatever', 'none'],
    ['a token', '0x6300', `USDC|USD Coin|eth|${ETH}`, `USDC|USD Coin|ETH|${ETH}||`, 'checksum'],
    [
      'a token on a renamed chain',
      '0x6300',
      `USDC|USD Coin|POL|${ETH}|d|s`,
      `USDC|USD Coin|MATIC|${ETH}|d|s`,
      'checksum',
    ],
    ['a token on an unknown chain', '0x6300', 'ABC|Abc|NEW|xyz', 'ABC|Abc|NEW|xyz||', 'none'],
    [
      'a token at a NEAR account',
      '0x6300',
      `USDC|USD Coin|NEAR|${KEY}`,
      `USDC|USD Coin|NEAR|${KEY}||`,
      'format',
    ],
    [
      'a coin of the token table',
      '0x6300',
      `CRO|Cronos|ETH|${ETH}`,
      `CRO|Cronos|ETH|${ETH}||`,
      'checksum',
    ],
    ['a coin on its own chain', '0x6300', `pol|x|POL|${ETH}`, `POL|x|MATIC|${ETH}||`, 'checksum'],
    ['a public key', '0x0101', `0x${KEY.toUpperCase()}`, KEY, 'format'],
    [
      'a link',
      '0x4001',
      'https://example.com/a?b=c@d#e',
      'https://example.com/a?b=c@d#e',
      'format',
    ],
    ['a redirect', '0x0004', 'http://example.com', 'http://example.com', 'format'],
    ['an IPv4 address', '0x4101', '192.0.2.1', '192.0.2.1', 'format'],
    ['an IPv6 address', '0x411c', '2001:DB8:0::1', '2001:db8::1', 'format'],
    ['a host name', '0x4105', 'Example.COM.', 'example.com.', 'format'],
    [
      'an onion address',
      '0x4000',
      'pg6mmjiyjmcrsslvykfwnntlaru7p5svn6y2ymmju6nubxndf4pscryd.onion',
      'pg6mmjiyjmcrsslvykfwnntlaru7p5svn6y2ymmju6nubxndf4pscryd',
      'checksum',
    ],
    ['a nickname', '0x0005', 'Zoë 🐙', 'Zoë 🐙', 'none'],
    ['an emoji of several', '0x0005', '👩🏽‍🚀 ❤️‍🔥 🏳️‍🌈', '👩🏽‍🚀 ❤️‍🔥 🏳️‍🌈', 'none'],
    ['the flag of a region', '0x0005', '🏴\u{E0067}\u{E007F}', '🏴\u{E0067}\u{E007F}', 'none'],
    ['a text in Persian', '0x0002', 'می\u200Cخواهم', 'می\u200Cخواهم', 'none'],
    ['a payment address', '0x6200', 'DE02 1203 0000', 'DE02 1203 0000', 'none'],
    ['a preferred form', '0x0006', '👍\uFE0F🏽❤', '👍🏽❤️', 'format'],
    ['a date', '0x0003', '2030-02-28T00:00:00Z', '2030-02-28T00:00:00Z', 'format'],
    ['an unknown tag', '0x7001', 'anything', 'anything', 'none'],
  ])('%s', (_, tag, data, storedData, strength) => {
    expect(checkRecord({ tag, data })).toMatchObject({
      tag: tag.toLowerCase(),
      data: storedData,
      strength,
    })
    expect(checkRecord({ tag, data: storedData }).data).toBe(storedData)
  })

  it('reports the chain of its address and whether it replaces another', () => {
    expect(
      checkRecord({ tag: '0x1011', data: 'TUrMmF9Gd4rzrXsQ34ui3Wou94E7HFuJQh' }),
    ).toMatchObject({
      single_value: true,
      address: { network: 'TRX', kind: 'account' },
    })
    expect(checkRecord({ tag: '0x6300', data: `A|B|ETH|${ETH}` }).single_value).toBe(false)
  })
})

describe('a refused record', () => {
  it.each([
    ['an unreadable tag', 'BTC', BTC, 'malformed_tag'],
    ['an empty address', '0x1003', '', 'empty_data'],
    ['an empty address with parts', '0x1003', '|x', 'empty_data'],
    ['a fifth part', '0x1003', `${BTC}|a|b|t|x`, 'malformed_data'],
    ['another default flag', '0x1003', `${BTC}|a|b|yes`, 'malformed_data'],
    ['a line break in the description', '0x1003', `${BTC}|a\r\nb`, 'invalid_character'],
    ['a long description', '0x1003', `${BTC}|${'é'.repeat(128)}`, 'too_long_data'],
    ['an address of another chain', '0x1003', `LaMT348PWRnrqeeWArpwQPbuanpXDZGEUz`, 'other_chain'],
    ['a test network', '0x1003', 'mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn', 'test_network'],
    ['a mistyped address', '0x1003', `${BTC.slice(0, -1)}b`, 'wrong_checksum'],
    ['a sub address as standard', '0x1001', SUB, 'other_address_kind'],
    ['a standard address as sub', '0x1002', STANDARD, 'other_address_kind'],
    ['a token of three parts', '0x6300', 'USDC|USD Coin|ETH', 'malformed_data'],
    ['a token of seven parts', '0x6300', `USDC|USD Coin|ETH|${ETH}|a|b|c`, 'malformed_data'],
    ['a token with a wrong address', '0x6300', `USDC|USD Coin|ETH|${BTC}`, 'other_chain'],
    ['a NEAR name that is a web site', '0x6300', 'USDC|x|NEAR|example.com', 'malformed_address'],
    ['a token that is its own network', '0x6300', `USDC|x|USDC|${ETH}`, 'malformed_data'],
    ['an unknown token that is its own network', '0x6300', 'ABC|x|abc|xyz', 'malformed_data'],
    ['another token as network', '0x6300', `ABC|x|usdt|${ETH}`, 'malformed_data'],
    ['a token on a chain without it', '0x6300', `USDT|Tether|BTC|${BTC}`, 'malformed_data'],
    ['a token on an alias of such a chain', '0x6300', `USDC|x|TRC20|${TRON}`, 'malformed_data'],
    ['a known token on an unknown chain', '0x6300', `USDC|x|FOO|${ETH}`, 'malformed_data'],
    ['a listed token on an unknown chain', '0x6300', `1INCH|x|FOO|${ETH}`, 'malformed_data'],
    ['a coin on the chain of another', '0x6300', `XMR|x|ETH|${ETH}`, 'malformed_data'],
    ['a coin on a chain of tokens', '0x6300', `XMR|x|BASE|${ETH}`, 'malformed_data'],
    ['a coin of EVM accounts on another chain', '0x6300', `ETH|x|TON|${TON}`, 'malformed_data'],
    ['a listed token that is no chain', '0x6300', `1INCH|x|1INCH|${ETH}`, 'malformed_data'],
    [
      'a token on the chain of a coin that we cannot check',
      '0x6300',
      'USDC|x|XTM|x',
      'malformed_data',
    ],
    ['a known token with garbage', '0x6300', 'USDT|Tether|BSC|garbage', 'malformed_address'],
    ['a private key beside a chain', '0x6300', `ABC|x|ERC20|${KEY}`, 'malformed_address'],
    ['a chain with signs', '0x6300', 'ABC|x|NEW-1|xyz', 'malformed_data'],
    ['a colon in a token name', '0x6300', `US:DC|USD Coin|ETH|${ETH}`, 'malformed_data'],
    ['a ticker of two letters', '0x3fff', 'AB|x', 'malformed_data'],
    ['a ticker without address', '0x3fff', 'ABC|', 'malformed_data'],
    ['a short key', '0x0101', KEY.slice(2), 'malformed_data'],
    ['a script', '0x0004', 'javascript:alert(1)', 'wrong_scheme'],
    ['a relative link', '0x4001', '/home', 'wrong_scheme'],
    ['a user name in a link', '0x4001', 'https://a@example.com/', 'credentials_in_url'],
    ['an empty user name in a link', '0x4001', 'https://@example.com/', 'credentials_in_url'],
    ['a password in a link', '0x4001', 'https://a:b@example.com/', 'credentials_in_url'],
    ['a link without host', '0x4001', 'https://', 'malformed_url'],
    ['a backslash in a link', '0x4001', 'https://good.example\\@evil.example/', 'malformed_url'],
    ['a line break in a link', '0x4001', 'https://example.com/\n', 'invalid_character'],
    ['a tab in a link', '0x4001', 'https://exam\tple.com/', 'invalid_character'],
    ['a long link', '0x4001', `https://example.com/${'a'.repeat(240)}`, 'too_long_data'],
    ['a NUL', '0x5001', 'a\0b', 'invalid_character'],
    ['half a character', '0x5001', 'a\uD83D', 'invalid_character'],
    ['a direction override', '0x0005', 'a\u202Eb', 'invalid_character'],
    ['a long text', '0x5001', 'a'.repeat(256), 'too_long_data'],
    ['an empty text', '0x5001', '', 'empty_data'],
    ['a wrong IPv4 address', '0x4101', '256.0.0.1', 'malformed_data'],
    ['a wrong IPv6 address', '0x411c', '1::2::3', 'malformed_data'],
    ['a host name with spaces', '0x4102', 'a b.example', 'malformed_data'],
    [
      'a mistyped onion address',
      '0x4000',
      'pg6mmjiyjmcrsslvykfwnntlaru7p5svn6y2ymmju6nubxndf4pscrye',
      'malformed_data',
    ],
    ['a preferred form that is no id', '0x0006', '👍🏽x', 'malformed_data'],
    ['a day that does not exist', '0x0003', '2030-02-30', 'malformed_data'],
    ['a long unknown record', '0x7001', 'a'.repeat(1025), 'too_long_data'],
  ])('%s', (_, tag, data, code) => {
    expect(codeOf(() => checkRecord({ tag, data }))).toBe(code)
  })

  it.each([
    ['0x1003', `${BTC}|${'a'.repeat(256)}`, 'description'],
    ['0x6300', `USDC|x|ETH|${ETH}|${'a'.repeat(256)}|`, 'description'],
    ['0x6300', `US:DC|USD Coin|ETH|${ETH}`, 'short name'],
    ['0x6300', `USDC|${'a'.repeat(65)}|ETH|${ETH}`, 'long name'],
    ['0x6300', `USDC|x|E!|${ETH}`, 'network'],
    ['0x6300', `USDT|Tether|BTC|${BTC}`, 'network'],
    ['0x3fff', 'AB|x', 'ticker'],
    ['0x3fff', 'ABC|x y', 'address'],
    ['0x1003', 'garbage', undefined],
  ])('%s: %s is wrong in its %s', (tag, data, part) => {
    expect(errorOf(() => checkRecord({ tag, data }))?.part).toBe(part)
  })

  it.each([
    ['0x1003', '', 'The address is empty.'],
    ['0x1003', `${BTC}|${'a'.repeat(256)}`, 'The description is longer than 255 bytes.'],
    ['0x1003', `${BTC}||${'a'.repeat(513)}`, 'The signature is longer than 512 bytes.'],
    [
      '0x1003',
      `${BTC}|a\nb`,
      'The description contains a line break or another invisible character',
    ],
    ['0x1003', `${BTC}|a|b|t|x`, 'There are too many parts. The format is address|description|'],
    ['0x6300', `USDC||ETH|${ETH}`, 'The long name is empty.'],
    ['0x6300', `USDC|${'a'.repeat(65)}|ETH|${ETH}`, 'The long name is longer than 64 bytes.'],
    ['0x6300', `US:DC|USD Coin|ETH|${ETH}`, '1 to 16 letters, digits or signs ($ . + _ -).'],
    ['0x6300', 'A|B|AVAX|X-avax1a5h6v9weng8guuah6aamagea0xhsd04mvs2zun', 'begins with 0x'],
    [
      '0x6300',
      `USDC|x|USDC|${ETH}`,
      'USDC is not a network. Name the chain of the token, such as ETH.',
    ],
    [
      '0x6300',
      `WBTC|x|BTC|${BTC}`,
      'WBTC can’t be paid on the network BTC. Its networks are ETH, MATIC.',
    ],
    ['0x3fff', 'AB|x', '3 to 8 letters or digits, then an address of 1 to 128 characters'],
    ['0x4001', 'https://', 'This is not a link such as https://example.com.'],
    ['0x4001', '', 'The link is empty.'],
    ['0x4101', '256.0.0.1', 'This is not an IPv4 address such as 192.0.2.1.'],
    ['0x411c', '1::2::3', 'This is not an IPv6 address such as 2001:db8::1.'],
    ['0x4105', 'a b', 'This is not a host name such as www.example.com.'],
    ['0x0101', 'ab', 'A key must have 64 hex digits.'],
    ['0x5001', '', 'The text is empty.'],
    ['BTC', BTC, 'Use 0x and up to four hex digits, such as 0x1003.'],
  ])('%s, %s: %s', (tag, data, words) => {
    expect(() => checkRecord({ tag, data })).toThrow(words)
  })

  it('names the chain of the address', () => {
    const data = 'ltc1qdp7p2rpx4a2f80h7a4crvppczgg4egmv5c78w8'
    expect(() => checkRecord({ tag: '0x1003', data })).toThrow(
      'This is a Litecoin address, not a Bitcoin one.',
    )
  })
})

describe('a homoglyph or invisible character', () => {
  const strange = ['\u200B', '\u2060', '\u00AD', '\uFEFF', '\u061C', '\u200E', '\u200D', '\u0430']
  const nameOf = (character: string) =>
    `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`

  it.each([
    ['another currency', '0x3fff', (address: string) => `ABC|${address}`],
    ['a payment address', '0x6200', (address: string) => address],
    ['a currency without name', '0x2fff', (address: string) => `${address}|label`],
    ['a token of an unknown network', '0x6300', (address: string) => `ABC|Abc|NEW|${address}`],
    ['a currency with a name', '0x1003', (address: string) => address],
  ])('a homoglyph or invisible character is rejected in addresses: %s', (_what, tag, dataFor) => {
    for (const character of strange) {
      const data = dataFor(`1A1zP1eP5QGefi2DMPTf${character}TL5SLmv7DivfNa`)
      expect(() => checkRecord({ tag, data })).toThrow(nameOf(character))
    }
  })

  it('a homoglyph or invisible character is rejected in labels and other texts, unless it is visible', () => {
    for (const character of strange.slice(0, -1)) {
      for (const [tag, data] of [
        ['0x1003', `${BTC}|my${character}label`],
        ['0x6300', `ABC|A${character}bc|NEW|xyz`],
        ['0x0005', `pay${character}pal`],
        ['0x5001', `${character}text`],
        ['0x7001', `any${character}`],
        ['0x4001', `https://exam${character}ple.com`],
      ] as const) {
        expect(() => checkRecord({ tag, data })).toThrow(nameOf(character))
      }
    }
    // Removing expected characters must not join surrogate halves.
    const halves = '\uD83D\u{1F469}\u200D\uDE00'
    expect(codeOf(() => checkRecord({ tag: '0x0005', data: halves }))).toBe('invalid_character')
    expect(checkRecord({ tag: '0x1003', data: `${BTC}|Büro Київ` }).data).toMatch('Київ')
  })
})

describe('a burn address', () => {
  it.each([
    ['the zero address', '0x1004', '0x0000000000000000000000000000000000000000'],
    ['the system program of Solana', '0x101d', '11111111111111111111111111111111'],
    ['the contract of a token', '0x1004', '0xdAC17F958D2ee523a2206206994597C13D831ec7'],
    [
      'a token at an address that holds none',
      '0x6300',
      'USDC|USD Coin|AVAX|X-avax1a5h6v9weng8guuah6aamagea0xhsd04mvs2zun||',
    ],
  ])('(%s) is refused', (_what, tag, data) => {
    expect(codeOf(() => checkRecord({ tag, data }))).toBe('other_address_kind')
  })
})

describe('the network of a token', () => {
  it.each([
    ['ERC20', 'ETH', ETH],
    ['erc-20', 'ETH', ETH],
    ['Ethereum', 'ETH', ETH],
    ['TRC20', 'TRX', TRON],
    ['tron', 'TRX', TRON],
    ['BEP20', 'BNB', ETH],
    ['BSC', 'BNB', ETH],
    ['BNB Smart Chain', 'BNB', ETH],
    ['SPL', 'SOL', SOL],
    ['POLYGON', 'MATIC', ETH],
    ['MATIC', 'MATIC', ETH],
    ['AVAX-C', 'AVAX', ETH],
    ['Avalanche', 'AVAX', ETH],
    ['AVALANCHE C-CHAIN', 'AVAX', ETH],
    ['BNB', 'BNB', ETH],
    ['celo', 'CELO', ETH],
    ['FANTOM', 'FTM', ETH],
    ['CRONOS', 'CRO', ETH],
    ['BASE', 'BASE', ETH],
    ['ARBITRUM', 'ARBITRUM', ETH],
    ['arb', 'ARBITRUM', ETH],
    ['Arbitrum One', 'ARBITRUM', ETH],
    ['OPTIMISM', 'OPTIMISM', ETH],
    ['OP', 'OPTIMISM', ETH],
    ['Linea', 'LINEA', ETH],
    ['SCROLL', 'SCROLL', ETH],
    ['zkSync', 'ZKSYNC', ETH],
    ['zkSync Era', 'ZKSYNC', ETH],
    ['GNOSIS', 'GNOSIS', ETH],
    ['MANTLE', 'MANTLE', ETH],
    ['BLAST', 'BLAST', ETH],
    ['TON', 'TON', TON],
    ['Injective', 'INJ', INJ],
  ])('%s is stored as %s', (input, storedData, address) => {
    const data = `USDT|Tether|${input}|${address}`
    const checkedRecord = checkRecord({ tag: '0x6300', data })
    expect(checkedRecord.data).toBe(`USDT|Tether|${storedData}|${address}||`)
    expect(checkedRecord.address?.network).toBe(storedData)
    expect(codeOf(() => checkRecord({ tag: '0x6300', data: `ABC|x|${input}|garbage` }))).toBe(
      'malformed_address',
    )
  })

  it.each([
    ['ETH', 'ARBITRUM', ETH, 'checksum'],
    ['USDC', 'BASE', ETH, 'checksum'],
    ['USDC', 'BASE', ETH.toLowerCase(), 'format'],
    ['MATIC', 'ETH', ETH, 'checksum'],
    ['UNI', 'MATIC', ETH, 'checksum'],
    ['1INCH', 'BASE', ETH, 'checksum'],
    ['HNT', 'BASE', ETH, 'checksum'],
    ['ABC', 'SCROLL', ETH, 'checksum'],
    ['ARB', 'ARBITRUM', ETH, 'checksum'],
    ['TON', 'TON', TON, 'checksum'],
    ['NOT', 'TON', `0:${KEY}`, 'format'],
    ['INJ', 'INJ', INJ, 'checksum'],
    ['KAVA', 'KAVA', 'kava1depk54cuajgkzea6zpgkq36tnjwdzv4a4d9sue', 'none'],
    ['XTM', 'XTM', 'whatever', 'none'],
  ])(
    'the network of a token may differ from the usual one: %s on %s',
    (token, network, address, strength) => {
      const checkedRecord = checkRecord({ tag: '0x6300', data: `${token}|x|${network}|${address}` })
      expect(checkedRecord).toMatchObject({ strength })
      expect(checkedRecord.data).toMatch(`${token}|x|${network}|`)
    },
  )

  it.each([
    ['BASE', `${ETH.slice(0, -1)}D`, 'wrong_checksum'],
    ['ARB', BTC, 'other_chain'],
    ['TON', `${TON.slice(0, -1)}G`, 'wrong_checksum'],
    ['TON', ETH, 'other_chain'],
    ['INJ', BTC, 'other_chain'],
  ])('%s rejects an address of another chain: %s', (network, address, code) => {
    const data = `USDT|Tether|${network}|${address}`
    expect(codeOf(() => checkRecord({ tag: '0x6300', data }))).toBe(code)
  })

  it('the network of a token is accepted for every token of the table', () => {
    const rows = knownTokens().filter(({ short_name, settlement_network }) => {
      const data = `${short_name}|x|${settlement_network}|garbage`
      return codeOf(() => checkRecord({ tag: '0x6300', data })) === 'malformed_data'
    })
    expect(rows).toEqual([])
  })
})

describe('the name of a token', () => {
  it.each([
    ['usdc', 'USDC'],
    ['VBNB', 'vBNB'],
    ['mine', 'MINE'],
  ])('%s is stored as %s', (input, storedData) => {
    const data = `${input}|Name|ETH|0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed||`
    expect(checkRecord({ tag: '0x6300', data }).data).toMatch(new RegExp(`^${storedData}\\|`))
  })
})

describe('data forms', () => {
  const part = fc.string({ maxLength: 20 }).filter((text) => !text.includes('|'))
  const filledTexts = part.filter((text) => text !== '')

  it('data forms are parsed as they were built', () => {
    fc.assert(
      fc.property(
        filledTexts,
        part,
        part,
        fc.boolean(),
        (address, description, signature, flag) => {
          const parts = { address, description, signature, default: flag }
          expect(parseAddressData(buildAddressData(parts))).toEqual(parts)
        },
      ),
    )
    fc.assert(
      fc.property(fc.array(part, { minLength: 6, maxLength: 6 }), (parts) => {
        const [short_name, long_name, settlement_network, address, description, signature] =
          parts as [string, string, string, string, string, string]
        const token = { short_name, long_name, settlement_network, address, description, signature }
        expect(parseTokenData(buildTokenData(token))).toEqual(token)
      }),
    )
    const other = { ticker: 'ABC', address: 'xyz' }
    expect(parseTickerAddress(buildTickerAddress(other))).toEqual(other)
  })
})

function errorOf(call: () => unknown): RecordError | undefined {
  try {
    call()
    return undefined
  } catch (error) {
    if (error instanceof RecordError) return error
    throw error
  }
}

const codeOf = (call: () => unknown): string => errorOf(call)?.code ?? 'accepted'

describe('a text', () => {
  const link = 'https://example.com/'
  it.each([
    ['0x0002', 255, (length: number) => 'a'.repeat(length)],
    ['0x4001', 255, (length: number) => link.padEnd(length, 'a')],
    ['0x4002', 1024, (length: number) => 'a'.repeat(length)],
    ['0x4110', 1024, (length: number) => 'a'.repeat(length)],
    ['0x410f', 4096, (length: number) => 'a'.repeat(length)],
    ['0x6200', 255, (length: number) => 'a'.repeat(length)],
    ['0x7001', 1024, (length: number) => 'a'.repeat(length)],
    ['0x1003', 255, (length: number) => `${BTC}|${'a'.repeat(length)}`],
    ['0x1003', 512, (length: number) => `${BTC}||${'a'.repeat(length)}`],
    ['0x6300', 16, (length: number) => `${'A'.repeat(length)}|x|ETH|${ETH}`],
    ['0x6300', 64, (length: number) => `USDC|${'a'.repeat(length)}|ETH|${ETH}`],
    ['0x6300', 255, (length: number) => `USDC|x|ETH|${ETH}|${'a'.repeat(length)}|`],
    ['0x6300', 512, (length: number) => `USDC|x|ETH|${ETH}||${'a'.repeat(length)}`],
  ])('a text of %s has at most %i bytes, case %#', (tag, longest, dataOf) => {
    expect(checkRecord({ tag, data: dataOf(longest) }).tag).toBe(tag)
    expect(() => checkRecord({ tag, data: dataOf(longest + 1) })).toThrow(RecordError)
  })
})
