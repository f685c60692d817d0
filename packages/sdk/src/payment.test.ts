import { type StoredRecord, tagsOfTicker } from '@emojid/core'
import { describe, expect, it } from 'vitest'
import { fakeService, json, lookupBody, thrownBy, vectorLines } from '../test/support.ts'
import { createClient } from './client.ts'
import { InvalidRequestError, NoAddressError, UnexpectedAnswerError } from './errors.ts'
import { paymentFrom } from './payment.ts'

const stored = (tag: string, data: string) => ({ tag, data }) as StoredRecord
const generic = (ticker: string, address: string) => stored('0x3fff', `${ticker}|${address}`)
const evm = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const bech32 = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
const legacy = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'

const valid = vectorLines('addresses-valid.txt').map((line) => {
  const [currency = '', , strength, address = '', storedAddress = address] = line.split(' ')
  return { currency, strength, address, storedAddress }
})
const invalid = vectorLines('addresses-invalid.txt').map((line) => {
  const [currency = '', , address = ''] = line.split(' ')
  return { currency, address }
})
const recordOf = ({ currency, address }: { currency: string; address: string }) => {
  const [tag] = tagsOfTicker(currency) ?? []
  return tag ? stored(tag, address) : generic(currency, address)
}

describe('the shared address vectors', () => {
  it('the shared address vectors are complete', () =>
    expect([valid.length, invalid.length]).toEqual([112, 117]))

  it.each(valid)('$currency is paid to $storedAddress', (v) => {
    const payment = paymentFrom('🔥', [recordOf(v)], { ticker: v.currency })
    expect([payment.address, payment.checked]).toEqual([v.storedAddress, v.strength])
  })

  it.each(invalid.filter(({ address }) => address !== ''))(
    '$currency is never paid to $address',
    (v) => {
      expect(() => paymentFrom('🔥', [recordOf(v)], { ticker: v.currency })).toThrow(
        UnexpectedAnswerError,
      )
    },
  )
})

describe('the address', () => {
  it('the address of a coin is the newest one, unless one is the default', () => {
    const records = [stored('0x1003', `${bech32}|||t`), stored('0x1003', legacy)]
    expect(paymentFrom('🔥', records, { ticker: 'btc' })).toMatchObject({
      address: bech32,
      source: 'coin_record',
      currency: { ticker: 'BTC' },
    })
    expect(paymentFrom('🔥', records.slice(1), { ticker: 'BTC' }).address).toBe(legacy)
  })

  it('the address of a token is its own, else that of its network, with the source', () => {
    const plain = stored('0x1004', evm)
    const other = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'
    const own = stored('0x6300', `USDC|USD Coin|ETH|${other}||`)
    const wish = { token: 'usdc', network: 'eth' }
    expect(paymentFrom('🔥', [own, plain], wish)).toMatchObject({
      address: other,
      source: 'token_record',
    })
    expect(paymentFrom('🔥', [plain], wish)).toMatchObject({
      address: evm,
      source: 'network_record',
    })
  })

  it('the address of a token is never one of another chain', () => {
    const records = [stored('0x1003', bech32), stored('0x6300', `USDC|USD Coin|ETH|${evm}||`)]
    expect(() => paymentFrom('🔥', records, { token: 'USDC', network: 'SOL' })).toThrow(
      NoAddressError,
    )
    expect(() => paymentFrom('🔥', records, { ticker: 'ETH' })).toThrow(
      '🔥 has no address for ETH.',
    )
  })

  it('the address of a coin without its own category is the generic one of that name', () => {
    const records = [generic('WOW', 'abc'), generic('PEN', 'def')]
    expect(paymentFrom('🔥', records, { ticker: 'wow' })).toMatchObject({
      address: 'abc',
      checked: 'none',
      uri: undefined,
    })
    expect(() => paymentFrom('🔥', records, { ticker: 'NONE' })).toThrow(NoAddressError)
  })
})

describe('the payment link', () => {
  const links: [object, string, string][] = [
    [{ ticker: 'BTC', amount: '0.0010' }, `0x1003 ${bech32}`, `bitcoin:${bech32}?amount=0.001`],
    [
      { ticker: 'ETH', amount: '0.5' },
      `0x1004 ${evm}`,
      `ethereum:${evm}@1?value=500000000000000000`,
    ],
    [
      { token: 'USDC', network: 'ETH', amount: '1.5' },
      `0x1004 ${evm}`,
      `ethereum:0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48@1/transfer?address=${evm}&uint256=1500000`,
    ],
  ]
  it.each(links)('the payment link of %j', (wish, line, uri) => {
    const [tag = '', data = ''] = line.split(' ')
    expect(paymentFrom('🔥', [stored(tag, data)], wish as { ticker: string }).uri).toBe(uri)
  })

  it.each(['0', '-1', '1e3', '0.123456789', 'NaN', '1,5', ''])(
    'rejects the amount %j',
    (amount) => {
      const records = [stored('0x1003', bech32)]
      expect(() => paymentFrom('🔥', records, { ticker: 'BTC', amount })).toThrow(
        InvalidRequestError,
      )
    },
  )
})

it.each([{}, { ticker: '' }, { ticker: 7 }, { token: 'USDC' }, { token: 'US DC', network: 'ETH' }])(
  'a request such as %j is rejected before anything is sent',
  (wish) => {
    expect(() => paymentFrom('🔥', [], wish as { ticker: string })).toThrow(InvalidRequestError)
  },
)

describe('an amount', () => {
  const { api, fetch, requests } = fakeService(() => json(lookupBody('🔥')))
  const client = createClient({ api, fetch })
  const amounts = [
    '-1',
    'NaN',
    '1e3',
    '',
    '0',
    ' 1',
    '0x1',
    0.01,
    0.1 + 0.2,
    0,
    ['1'],
    {},
    null,
    1n,
  ]
  it.each(amounts)('such as %s is rejected before anything is sent', async (input) => {
    const amount = input as string
    for (const currency of [
      { ticker: 'FOO' },
      { ticker: 'BTC' },
      { token: 'FOO', network: 'ETH' },
    ]) {
      const error = await thrownBy(client.pay('🔥', { ...currency, amount }))
      expect(error).toBeInstanceOf(InvalidRequestError)
    }
    expect(requests).toEqual([])
  })

  it('an amount is part of the payment even without a link', () => {
    const wish = { ticker: 'WOW', amount: '0.25' }
    const payment = paymentFrom('🔥', [generic('WOW', 'abc')], wish)
    expect(payment).toMatchObject({ amount: '0.25', uri: undefined })
  })

  it('an amount needs a currency', async () => {
    for (const wish of [undefined, null, 7, 'BTC', [], {}, { token: ['USDC'], network: 'ETH' }]) {
      expect(await thrownBy(client.pay('🔥', wish as never))).toBeInstanceOf(InvalidRequestError)
    }
    expect(requests).toEqual([])
  })
})

describe('proven records', () => {
  const two = [stored('0x1003', bech32), stored('0x1003', legacy)]
  const proven = { isProven: true }
  const own = (address: string) => stored('0x6300', `USDC|USD Coin|ETH|${address}||`)
  const otherEvm = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'

  it.each([
    ['of a coin', two, { ticker: 'BTC' }],
    ['of a coin without a category', [generic('WOW', 'a'), generic('WOW', 'b')], { ticker: 'WOW' }],
    ['of a token', [own(evm), own(otherEvm)], { token: 'USDC', network: 'ETH' }],
    [
      'of a network',
      [stored('0x1004', evm), stored('0x1004', otherEvm)],
      { token: 'USDC', network: 'ETH' },
    ],
  ])('%s whose order would decide are refused', (_what, records, wish) => {
    expect(() => paymentFrom('🔥', records, wish, proven)).toThrow(
      expect.objectContaining({ code: 'unproven', reason: 'order' }),
    )
    expect(paymentFrom('🔥', records, wish).address).toBeTruthy()
  })

  it.each([
    ['one is the default', [stored('0x1003', `${bech32}|||t`), two[1]], { ticker: 'BTC' }, bech32],
    ['they agree', [two[0], stored('0x1003', `${bech32}|cold||`)], { ticker: 'BTC' }, bech32],
    [
      'one is of the token itself',
      [own(evm), stored('0x1004', otherEvm)],
      { token: 'USDC', network: 'ETH' },
      evm,
    ],
    ['one is of another coin', [two[0], stored('0x1004', evm)], { ticker: 'BTC' }, bech32],
  ])('proven records are accepted in any order if %s', (_what, records, wish, address) => {
    const some = records as StoredRecord[]
    for (const order of [some, some.toReversed()]) {
      expect(paymentFrom('🔥', order, wish, proven).address).toBe(address)
    }
  })
})
