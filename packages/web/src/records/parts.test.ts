import { describe, expect, it } from 'vitest'
import { titleOf } from './names.ts'
import { barIn, formOf, noParts, partsOf, recordOf } from './parts.ts'

const ether = '0x52908400098527886E0F7030069857D2E4169EE7'

describe('the parts of a record', () => {
  it.each([
    ['0x1003', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
    ['0x1003', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa|Main'],
    ['0x1003', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa|Main|signed|t'],
    ['0x1004', `${ether}|||t`],
    ['0x6300', `USDC|USD Coin|MATIC|${ether}|Savings|`],
    ['0x3fff', 'ABC|xyz'],
    ['0x0005', 'Anna | Snake'],
    ['0x3abc', 'address|label'],
    ['0x7777', 'a|b|c'],
  ])('the parts of a record of %s “%s” round-trip', (tag, data) => {
    expect(recordOf(tag, partsOf({ tag, data }))).toEqual({ tag, data })
  })

  it('contain no pipe where it separates them', () => {
    expect(barIn({ ...noParts, label: 'My|wallet' })).toBe('label')
    expect(barIn({ ...noParts, label: 'My wallet' })).toBeUndefined()
  })

  it('depend on the kind of record', () => {
    expect(['0x1004', '0x6300', '0x3fff', '0x0004', '0x7777'].map(formOf)).toEqual([
      'address',
      'token',
      'ticker_address',
      'plain',
      'plain',
    ])
  })
})

it.each([
  ['0x1003', 'x', 'Bitcoin (BTC)'],
  ['0x6300', `USDC|USD Coin|MATIC|${ether}||`, 'USD Coin (USDC) on Polygon'],
  ['0x3fff', 'ABC|xyz', 'ABC'],
  ['0x0004', 'https://example.com', 'Redirect'],
  ['0x7777', 'x', '0x7777'],
])('%s has its display name', (tag, data, title) => {
  expect(titleOf({ tag, data })).toBe(title)
})
