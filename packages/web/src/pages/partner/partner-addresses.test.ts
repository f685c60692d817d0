import { describe, expect, it } from 'vitest'
import { readPartnerAddresses } from './partner-addresses.ts'

const bitcoin = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
const ether = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const list = (addresses: string) => readPartnerAddresses({ addresses, address_json: '' })
function inBase64(text: string, encoding?: 'base64url'): string {
  const bytes = new TextEncoder().encode(text)
  const usual = btoa(String.fromCharCode(...bytes))
  return encoding ? usual.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '') : usual
}
const json = (value: unknown, encoding?: 'base64url') =>
  fromText(inBase64(JSON.stringify(value), encoding))
const fromText = (address_json: string) => readPartnerAddresses({ addresses: '', address_json })
const faultsOf = ({ unread }: ReturnType<typeof list>) => unread.map(({ fault }) => fault)

const inBitcoin = { tag: '0x1003', address: bitcoin, wallet: '' }
const inEther = { tag: '0x1004', address: ether, wallet: '' }

describe('addresses as a list', () => {
  it.each([
    ['one', `0x1003=${bitcoin}`, [inBitcoin]],
    ['two', `0x1003=${bitcoin}|0x1004=${ether}`, [inBitcoin, inEther]],
    ['lines at odd places', `||0x1003=${bitcoin}|||0x1004=${ether}|`, [inBitcoin, inEther]],
    ['blanks', ` 0x1003 = ${bitcoin} | 0x1004=${ether}\n`, [inBitcoin, inEther]],
    ['capitals', `0X1003=${bitcoin}`, [inBitcoin]],
    [
      'encoded twice',
      encodeURIComponent(`0x1003=${bitcoin}|0x1004=${ether}`),
      [inBitcoin, inEther],
    ],
    ['the same twice', `0x1003=${bitcoin}|0X1003=${bitcoin}`, [inBitcoin]],
    ['= within', '0x1003=a=b=', [{ tag: '0x1003', address: 'a=b=', wallet: '' }]],
    ['nothing', '', []],
    ['nothing but lines', '|||', []],
  ])('reads %s', (_, text, addresses) => {
    expect(list(text)).toEqual({ addresses, unread: [] })
  })

  it.each([
    ['no =', bitcoin, 'pair'],
    ['no tag', `=${bitcoin}`, 'pair'],
    ['no address', '0x1003=', 'pair'],
    ['a blank address', '0x1003= ', 'pair'],
    ['hex digits without 0x, which no number means', `1003=${bitcoin}`, 'tag'],
    ['a tag of nothing', `0x10ff=${bitcoin}`, 'tag'],
    ['a tag too long', `0x10030=${bitcoin}`, 'tag'],
    ['a ticker', `BTC=${bitcoin}`, 'tag'],
    ['a redirect of the whole page', '0x0004=https://evil.example', 'tag'],
    ['a token, which is no address alone', '0x6300=USDC', 'tag'],
    ['two for one currency', `0x1003=${bitcoin}|0x1003=${ether}`, 'twice'],
    ['far too much', `0x1003=${'a'.repeat(20_000)}`, 'too_long'],
  ])('rejects %s', (_, text, fault) => {
    const result = list(text)
    expect(result.addresses).toEqual([])
    expect(faultsOf(result)).toEqual([fault])
    expect(result.unread[0]?.text.length).toBeLessThan(70)
  })

  it('keeps valid addresses beside invalid ones', () => {
    const result = list(`nonsense|0x1003=${bitcoin}|0x10ff=x`)
    expect(result.addresses).toEqual([inBitcoin])
    expect(result.unread).toEqual([
      { text: 'nonsense', fault: 'pair' },
      { text: '0x10ff=x', fault: 'tag' },
    ])
  })
})

describe('addresses as Base64', () => {
  const wallet = 'Täglich >>> ???'
  const both = [{ '0x1003': `${bitcoin}|${wallet}` }, { '0x1004': ether }]
  const expected = { addresses: [{ ...inBitcoin, wallet }, inEther], unread: [] }

  it('addresses as Base64 are read in either alphabet, padded or not, and with spaces for plus signs', () => {
    const text = inBase64(JSON.stringify(both))
    expect(text).toContain('+')
    expect(text).toContain('/')
    expect(json(both)).toEqual(expected)
    expect(json(both, 'base64url')).toEqual(expected)
    expect(fromText(text.replaceAll('=', ''))).toEqual(expected)
    expect(fromText(text.replaceAll('+', ' '))).toEqual(expected)
    expect(fromText(encodeURIComponent(text))).toEqual(expected)
  })

  it.each([
    ['several in one object', [{ '0x1003': bitcoin, '0x1004': ether }], [inBitcoin, inEther]],
    ['an empty name', [{ '0x1003': `${bitcoin}|` }], [inBitcoin]],
    ['lines in a name', [{ '0x1003': `${bitcoin}|a|b` }], [{ ...inBitcoin, wallet: 'a b' }]],
    ['an empty list', [], []],
  ])('read %s', (_, value, addresses) => {
    expect(json(value)).toEqual({ addresses, unread: [] })
  })

  it.each([
    ['an object instead of a list', { '0x1003': bitcoin }, 'json'],
    ['a text', 'hello', 'json'],
    ['a text in the list', [bitcoin], 'pair'],
    ['nothing in the list', [null], 'pair'],
    ['a list in the list', [['0x1003', bitcoin]], 'pair'],
    ['an empty object', [{}], 'pair'],
    ['a number as the address', [{ '0x1003': 7 }], 'pair'],
    ['a name without an address', [{ '0x1003': '|Main' }], 'pair'],
    ['an unknown tag', [{ '0x10ff': bitcoin }], 'tag'],
    ['a decimal tag', [{ '4099': bitcoin }], 'tag'],
    ['two for one currency', [{ '0x1003': bitcoin }, { '0X1003': 'another' }], 'twice'],
  ])('reject %s', (_, value, fault) => {
    expect(json(value)).toEqual({ addresses: [], unread: [expect.objectContaining({ fault })] })
  })

  it.each([
    ['no Base64', '%%%', 'base64'],
    ['a length that Base64 never has', 'abcde', 'base64'],
    ['bytes that are no text', '////', 'base64'],
    ['half of a text', inBase64('[{"0x1003":'), 'json'],
    ['far too much', 'A'.repeat(20_001), 'too_long'],
  ])('reject %s', (_, text, fault) => {
    expect(faultsOf(fromText(text))).toEqual([fault])
  })
})

describe('both address formats', () => {
  const asJson = (value: unknown) => inBase64(JSON.stringify(value))

  it('form one list, with the wallet name if there is one', () => {
    const address_json = asJson([{ '0x1003': `${bitcoin}|Main` }])
    expect(
      readPartnerAddresses({ addresses: `0x1003=${bitcoin}|0x1004=${ether}`, address_json }),
    ).toEqual({
      addresses: [{ ...inBitcoin, wallet: 'Main' }, inEther],
      unread: [],
    })
  })

  it('both address formats are rejected where they disagree', () => {
    const address_json = asJson([{ '0x1003': 'another' }])
    const result = readPartnerAddresses({ addresses: `0x1003=${bitcoin}`, address_json })
    expect(result).toEqual({ addresses: [], unread: [{ text: '0x1003', fault: 'twice' }] })
  })

  it('allow at most a hundred addresses', () => {
    const many = Array.from({ length: 101 }, () => `0x1003=${bitcoin}`).join('|')
    expect(faultsOf(list(many))).toEqual(['too_many'])
  })
})
