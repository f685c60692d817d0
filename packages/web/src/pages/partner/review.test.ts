import { parseTag } from '@emojid/core'
import { describe, expect, it } from 'vitest'
import { currencyName } from '../../records/names.ts'
import { offeredTickers, review } from './review.ts'

const bitcoin = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
const other = '1BoatSLRHtKNngkdXEeobR76b53LETtpyT'
const addressOf = (address: string, tag = '0x1003', wallet = '') => ({
  tag: parseTag(tag),
  address,
  wallet,
})
const judge = (one: ReturnType<typeof addressOf>, records: { tag: string; data: string }[] = []) =>
  review(one, records, ['BTC', '0x1004'], 'Not agreed.')

describe('a reviewed address', () => {
  it('a reviewed address is new if the id has none, with the wallet name', () => {
    expect(judge(addressOf(bitcoin, '0x1003', 'Main'))).toMatchObject({
      state: 'new',
      strength: 'checksum',
      currency: 'Bitcoin (BTC)',
      data: `${bitcoin}|Main`,
    })
  })

  it.each([
    ['same', `${bitcoin}`, ''],
    ['same', `${bitcoin}|Main`, ''],
    ['same', `${bitcoin}|Main`, 'Main'],
    ['replaces', `${bitcoin}|Old`, 'Main'],
    ['replaces', other, ''],
  ])('a reviewed address is %s beside %s', (state, data, wallet) => {
    const storedRecords = [{ tag: '0x1003', data }]
    expect(judge(addressOf(bitcoin, '0x1003', wallet), storedRecords)).toMatchObject({ state })
  })

  it('a reviewed address shows the address that it replaces', () => {
    const storedRecords = [{ tag: '0x1003', data: `${other}|Old|signed|t` }]
    expect(judge(addressOf(bitcoin), storedRecords)).toMatchObject({
      state: 'replaces',
      before: `${other} (Old)`,
      isSignedBefore: true,
      // The default address stays the default.
      data: `${bitcoin}|||t`,
    })
  })

  it('a reviewed address is unchanged if only its case differs', () => {
    const storedRecords = [{ tag: '0x1003', data: bitcoin }]
    const review = judge(addressOf(bitcoin.toUpperCase()), storedRecords)
    expect(review).toMatchObject({ state: 'same', address: bitcoin })
  })

  it.each([
    ['a mistake', `${bitcoin.slice(0, -1)}q`, '0x1003', 'checksum is wrong'],
    ['another chain', bitcoin, '0x1004', 'Bitcoin'],
    ['an unsupported currency', bitcoin, '0x1019', 'Not agreed.'],
  ])('a reviewed address is rejected with the reason: %s', (_, address, tag, reason) => {
    expect(judge(addressOf(address, tag))).toMatchObject({
      state: 'refused',
      why: expect.stringContaining(reason),
    })
  })

  it('a reviewed address is rejected for a name that no record can hold', () => {
    expect(judge(addressOf(bitcoin, '0x1003', 'x'.repeat(300))).state).toBe('refused')
  })
})

it('the address review accepts all currencies if the partner lists none', () => {
  expect(review(addressOf(bitcoin), [], [], '').state).toBe('new')
})

it('the address review names currencies with their ticker', () => {
  expect(currencyName(parseTag('0x1004'))).toBe('Ethereum (ETH)')
  expect(offeredTickers(['btc', '0x1003', '0x1004', 'NOSUCH', '0x0004'])).toEqual(['BTC', 'ETH'])
})
