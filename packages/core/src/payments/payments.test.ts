import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AddressError } from '../addresses/address-error.ts'
import { findChain } from '../addresses/chains.ts'
import { tokenContract, tokenContractKeys } from '../addresses/token-contracts.ts'
import { parseTag } from '../records/tags.ts'
import { checkAmount, inSmallestUnits } from './amount.ts'
import { paymentUri } from './payment-uri.ts'
import {
  paymentAddresses,
  paymentLookup,
  type StoredRecord,
  singleValueKey,
} from './payment-view.ts'
import { addressInUri } from './read-payment-uri.ts'
import { recordsOfTicker } from './ticker-records.ts'
import { tokenAddress } from './token-address.ts'

const BTC = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'
const ETH = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const XMR =
  '4AdUndXHHZ6cfufTMvppY6JwXNouMBzSkbLYfpAV5Usx3skxNgYeYTRj5UzqtReoS44qo9mtmXCqY45DJ852K5Jv2684Rge'
const TRON = 'TUrMmF9Gd4rzrXsQ34ui3Wou94E7HFuJQh'
const SOL = 'AHy6YZA8BsHgQfVkk7MbwpAN94iyN7Nf1zN4nPqUN32Q'
const record = (tag: string, data: string): StoredRecord => ({ tag: parseTag(tag), data })

describe('the payment view', () => {
  it('returns the most recent default, else the most recent address', () => {
    const records = [
      record('0x1003', 'first|||t'),
      record('0x1003', 'second|shop|sig|t'),
      record('0x1003', 'third'),
      record('0x1004', 'old'),
      record('0x1004', 'new'),
    ]
    expect(paymentAddresses(records)).toEqual({
      '0x1003': {
        address: 'second',
        category: '0x1003',
        default: true,
        description: 'shop',
        signature: 'sig',
      },
      '0x1004': { address: 'new', category: '0x1004', default: false },
    })
  })

  it('separates tokens by name and network', () => {
    const records = [
      record('0x6300', `USDC|USD Coin|ETH|${ETH}||`),
      record('0x6300', `USDC|USD Coin|SOL|${SOL}|mine|sig`),
    ]
    const view = paymentAddresses(records)
    expect(Object.keys(view)).toEqual(['0x6300:USDC:ETH', '0x6300:USDC:SOL'])
    expect(view['0x6300:USDC:SOL']).toEqual({
      address: SOL,
      category: '0x6300',
      default: false,
      short_name: 'USDC',
      long_name: 'USD Coin',
      settlement_network: 'SOL',
      description: 'mine',
      signature: 'sig',
    })
  })

  it('the payment view has one address per ticker of other currencies, and the most recent one for old wallets', () => {
    const records = [
      record('0x3fff', 'KAS|old'),
      record('0x3fff', 'ERG|other'),
      record('0x3fff', 'KAS|new'),
    ]
    const view = paymentLookup(records)
    expect(Object.keys(view)).toEqual(['0x3fff:KAS', '0x3fff:ERG', '0x3fff'])
    expect([view['0x3fff:KAS']?.address, view['0x3fff']?.address]).toEqual(['new', 'new'])
    expect(Object.keys(paymentAddresses(records))).toEqual(['0x3fff:KAS', '0x3fff:ERG'])
    expect(paymentLookup(records, [parseTag('0x1003')])).toEqual({})
  })

  it('omits non-payment records and unrequested categories', () => {
    const records = [
      record('0x4001', 'https://example.com'),
      record('0x1003', BTC),
      record('0x1004', ETH),
    ]
    expect(Object.keys(paymentAddresses(records))).toEqual(['0x1003', '0x1004'])
    expect(Object.keys(paymentAddresses(records, [parseTag('0x1004')]))).toEqual(['0x1004'])
    expect(paymentAddresses([])).toEqual({})
  })
})

describe('an edit replaces the value', () => {
  it.each([
    ['of the category', ['0x1003', 'a'], '0x1003'],
    ['of the other currency', ['0x3fff', 'KAS|a'], '0x3fff:KAS'],
    ['of the token on its network', ['0x6300', `USDC|USD Coin|ETH|${ETH}||`], '0x6300:USDC:ETH'],
    ['of nothing, where any number is kept', ['0x4001', 'https://a.example'], undefined],
  ] as const)('%s', (_, [tag, data], key) => {
    expect(singleValueKey(record(tag, data))).toBe(key)
  })
})

describe('the records of a ticker', () => {
  const bitcoin = record('0x1003', BTC)
  const kaspa = record('0x3fff', 'KAS|kaspa:one')
  const fakeBitcoin = record('0x3fff', 'BTC|elsewhere')
  const dollars = record('0x6300', `USDC|USD Coin|SOL|${SOL}||`)
  const records = [dollars, fakeBitcoin, kaspa, bitcoin, record('0x101b', ETH)]

  it.each([
    ['btc', [bitcoin]],
    ['KAS', [kaspa]],
    ['kas', [kaspa]],
    ['USDC', [record('0x101b', ETH), dollars]],
    ['ETH', []],
    ['XYZQ', undefined],
    ['constructor', undefined],
    ['', undefined],
  ])('%s', (ticker, address) => {
    expect(recordsOfTicker(records, ticker)).toEqual(address)
  })

  it('never include another currency if the ticker has a category', () => {
    expect(recordsOfTicker([fakeBitcoin], 'BTC')).toEqual([])
  })
})

describe('the address of a token', () => {
  const token = record('0x6300', `USDC|USD Coin|ETH|0x314159265dD8dbb310642f98f50C066173C1259b||`)
  const ownRecord = record('0x101b', ETH)
  const network = record('0x1004', `${ETH}|main`)

  it.each([
    ['the token record', [network, token, ownRecord], 'USDC', 'ETH', 'token_record'],
    [
      'the address of the network beside a record of the ticker',
      [network, ownRecord],
      'usdc',
      'eth',
      'network_record',
    ],
    ['the address of the network', [network], 'USDC', 'ETH', 'network_record'],
    ['the address of a Solana account', [record('0x101d', SOL)], 'USDC', 'SOL', 'network_record'],
    ['the coin itself', [record('0x1003', BTC)], 'BTC', 'BTC', 'network_record'],
    ['the token record, by another name of its network', [token], 'USDC', 'erc-20', 'token_record'],
    [
      'the token record of a chain without a category',
      [network, record('0x6300', `USDC|USD Coin|ARBITRUM|${ETH}||`)],
      'USDC',
      'arb',
      'token_record',
    ],
    ['the address of Ethereum for a listed token', [network], 'INJ', 'ETH', 'network_record'],
    ['the address of the network by that name', [network], 'USDC', 'Ethereum', 'network_record'],
  ] as const)('the address of a token is %s', (_, records, name, chain, source) => {
    expect(tokenAddress(records, name, chain)?.source).toBe(source)
  })

  it('the address of a token is the address of the requested network, not that of a similar chain', () => {
    const avalanche = '0x314159265dD8dbb310642f98f50C066173C1259b'
    const records = [record('0x1011', ETH), record('0x1035', avalanche)]
    expect(tokenAddress(records, 'USDT', 'AVAX')).toMatchObject({ address: avalanche })
  })

  it('the address of a token is the newest of several records, in any spelling of its name', () => {
    const [a, b, c] = ['a', 'b', 'c'].map((_, n) => `0x${String(n + 1).repeat(40)}`)
    const records = [
      record('0x6300', `USDC|USD Coin|ETH|${a}||`),
      record('0x6300', `usdc|USD Coin|ETH|${b}||`),
      record('0x6300', `USDC|USD Coin|ETH|${c}||`),
    ]
    expect(tokenAddress(records, 'usdc', 'eth')).toMatchObject({ address: c })
    expect(tokenAddress(records.slice(0, 2), 'USDC', 'ETH')).toMatchObject({ address: b })
  })

  it.each([
    [
      'a chain that does not share addresses',
      [record('0x101c', 'GAI3GJ2Q3B35AOZJ36C4ANE3HSS4NK7WI6DNO4ZSHRAX6NG7BMX6VJER')],
      'USDC',
      'XLM',
    ],
    [
      'an address of a form without tokens',
      [record('0x1035', 'X-avax1a5h6v9weng8guuah6aamagea0xhsd04mvs2zun')],
      'USDC',
      'AVAX',
    ],
    ['a ticker record of another chain', [ownRecord], 'USDC', 'SOL'],
    ['another network', [token], 'USDC', 'SOL'],
    ['an unknown network', [record('0x1003', BTC), network], 'BTC', 'FOO'],
    ['a token given for another chain', [record('0x1011', TRON)], 'USDT', 'ARB'],
    [
      'a currency record alone, which may be an exchange of another chain',
      [ownRecord],
      'USDC',
      'ETH',
    ],
    ['a coin on the chain of another', [network], 'XMR', 'ETH'],
    ['a coin that looks alike on another chain', [record('0x1003', BTC)], 'BTC', 'BSV'],
    ['a chain that does not have the token', [network, record('0x101e', ETH)], 'USDT', 'VET'],
    ['a coin of its own on another chain', [network], 'BNB', 'ETH'],
    ['a chain that looks alike', [network], 'USDC', 'BASE'],
    ['a coin on a chain that looks alike', [network], 'ETH', 'ARBITRUM'],
    ['a chain where the token is not known to live', [record('0x1029', ETH)], 'UNI', 'POLYGON'],
    ['a chain without a category', [network], 'USDT', 'TON'],
    ['no records', [], 'USDC', 'ETH'],
  ] as const)('the address of a token is not guessed from %s', (_, records, name, chain) => {
    expect(tokenAddress(records, name, chain)).toBeUndefined()
  })
})

describe('amounts', () => {
  it.each([
    ['1', '1', '100000000'],
    ['0.25', '0.25', '25000000'],
    ['007.50', '7.5', '750000000'],
    ['0.00000001', '0.00000001', '1'],
    ['21000000', '21000000', '2100000000000000'],
  ])('%s is %s, or %s in the smallest unit', (amount, plain, units) => {
    expect([checkAmount(amount, 8), inSmallestUnits(amount, 8)]).toEqual([plain, units])
  })

  it.each([
    '',
    '0',
    '0.000',
    '-1',
    '+1',
    '1e3',
    '.5',
    '5.',
    '1,5',
    ' 1',
    'NaN',
    'Infinity',
    '0x10',
    '0.000000001',
  ])('%j is rejected', (amount) => expect(() => checkAmount(amount, 8)).toThrow(/decimal|zero/))

  it('never lose a digit', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 40n }), fc.nat(18), (units, decimals) => {
        const digits = units.toString().padStart(decimals + 1, '0')
        const at = digits.length - decimals
        fc.pre(at <= 30)
        const amount = decimals === 0 ? digits : `${digits.slice(0, at)}.${digits.slice(at)}`
        expect(inSmallestUnits(amount, decimals)).toBe(units.toString())
      }),
    )
  })
})

describe('payment links', () => {
  it.each([
    [{ ticker: 'BTC', address: BTC }, `bitcoin:${BTC}`],
    [
      { ticker: 'btc', address: BTC, amount: '0.10', label: 'Zoë & co', message: 'a b' },
      `bitcoin:${BTC}?amount=0.1&label=Zo%C3%AB%20%26%20co&message=a%20b`,
    ],
    [
      {
        ticker: 'BCH',
        address: 'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a',
        amount: '2',
      },
      'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a?amount=2',
    ],
    [
      { ticker: 'BCH', address: 'BITCOINCASH:QPM2QSZNHKS23Z7629MMS6S4CWEF74VCWVY22GDX6A' },
      'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a',
    ],
    [
      { ticker: 'BCH', address: 'qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a' },
      'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a',
    ],
    [
      { ticker: 'BTC', address: 'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4' },
      'bitcoin:bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    ],
    [{ ticker: 'ETH', address: ETH.slice(2).toLowerCase() }, `ethereum:${ETH}@1`],
    [
      { ticker: 'USDC', network: 'polygon', address: ETH.toLowerCase() },
      `ethereum:0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359@137/transfer?address=${ETH}`,
    ],
    [
      { ticker: 'XMR', address: XMR, amount: '1.5', message: 'hi' },
      `monero:${XMR}?tx_amount=1.5&tx_description=hi`,
    ],
    [{ ticker: 'ETH', address: ETH, amount: '1.5' }, `ethereum:${ETH}@1?value=1500000000000000000`],
    [{ ticker: 'POL', address: ETH }, `ethereum:${ETH}@137`],
    [
      { ticker: 'USDC', network: 'ETH', address: ETH, amount: '2.5' },
      `ethereum:0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48@1/transfer?address=${ETH}&uint256=2500000`,
    ],
    [
      { ticker: 'SOL', address: SOL, amount: '0.5', label: 'x' },
      `solana:${SOL}?amount=0.5&label=x`,
    ],
    [
      { ticker: 'USDC', network: 'SOL', address: SOL, amount: '1' },
      `solana:${SOL}?amount=1&spl-token=EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v`,
    ],
  ])('%j is %s', (request, uri) => expect(paymentUri(request)).toBe(uri))

  it.each([
    [
      'a coin without an agreed form',
      { ticker: 'XRP', address: 'rf1BiGeXwwQoi8Z2ueFYTEXSwuJYfV2Jpn' },
    ],
    ['a token whose contract is unknown', { ticker: 'HOT', network: 'ETH', address: ETH }],
    ['a token without its network', { ticker: 'USDC', address: ETH }],
    [
      'an Avalanche address without a scheme',
      { ticker: 'AVAX', address: 'X-avax1a5h6v9weng8guuah6aamagea0xhsd04mvs2zun' },
    ],
  ])('payment links are not created for %s', (_, request) =>
    expect(paymentUri(request)).toBeUndefined(),
  )

  it.each([
    ['an invalid address', { ticker: 'BTC', address: 'notanaddress' }],
    ['an address that smuggles parameters', { ticker: 'BTC', address: `${BTC}?amount=9` }],
    ['an address of another chain', { ticker: 'BTC', address: ETH }],
    ['a token at an address of another chain', { ticker: 'USDC', network: 'SOL', address: ETH }],
  ])('payment links are rejected for %s', (_, request) =>
    expect(() => paymentUri(request)).toThrow(AddressError),
  )

  it('reject an amount with too many decimal places', () => {
    expect(() => paymentUri({ ticker: 'BTC', address: BTC, amount: '0.123456789' })).toThrow(
      'at most 8',
    )
    expect(() => paymentUri({ ticker: 'BTC', address: BTC, amount: '' })).toThrow('decimal number')
  })
})

describe('the address in a payment link', () => {
  it.each([
    { ticker: 'BTC', address: BTC, amount: '1', label: 'A/B?@' },
    { ticker: 'BTC', address: BTC },
    { ticker: 'ETH', address: ETH, amount: '1' },
    { ticker: 'MATIC', address: ETH },
    { ticker: 'XMR', address: XMR, amount: '2' },
    { ticker: 'USDC', network: 'ETH', address: ETH, amount: '1' },
    { ticker: 'BCH', address: 'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a' },
  ])('the address in a payment link of %j is the original one', (request) => {
    expect(addressInUri(paymentUri(request) ?? '')).toBe(request.address)
  })

  it('the address in a payment link is found in capital letters, and other texts stay unchanged', () => {
    expect(addressInUri('BITCOIN:BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4')).toBe(
      'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4',
    )
    for (const text of [
      BTC,
      'https://example.com',
      'javascript:alert(1)',
      'bitcoin:',
      'addr:x',
      '',
    ])
      expect(addressInUri(text)).toBe(text)
  })
})

describe('token contracts', () => {
  it.each(tokenContractKeys)('%s has the checksum of its chain', (key) => {
    const [token, network] = key.split(':') as [string, string]
    const { contract, decimals } = tokenContract(token, network) ?? { contract: '', decimals: -1 }
    const verdict = findChain(network)?.check(contract)
    const strength = network === 'SOL' ? 'format' : 'checksum'
    expect(verdict).toMatchObject({ address: contract, strength })
    expect(decimals >= 6 && decimals <= 18).toBe(true)
  })
})
