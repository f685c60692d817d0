import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { knownTags } from '../records/tags.ts'
import { AddressError } from './address-error.ts'
import { chains, findNetwork } from './chains.ts'
import { checkAddress, storedStrength } from './check-address.ts'
import { detectChain } from './detect-chain.ts'
import { networksOf } from './token-networks.ts'
import { isMatch } from './verdict.ts'

const core = fileURLToPath(new URL('../../', import.meta.url))
const valid = lines('addresses-valid.txt').map((line) => {
  const [currency, kind, strength, address, stored] = line.split(' ') as string[]
  return { currency, kind, strength, address, stored: stored ?? address } as Record<string, string>
})
const invalid = lines('addresses-invalid.txt').map((line) => {
  const [currency, code, address, ...words] = line.split(' ') as string[]
  return { currency, code, address, message: words.join(' ') } as Record<string, string>
})

describe('the strength of a stored address', () => {
  const checked = { address: 'x', network: 'ETH', strength: 'checksum' } as const
  it.each([
    ['is its format for the Ethereum kind, whose checksum the service adds', 'evm', 'format'],
    ['stays its checksum for every other kind', 'p2pkh', 'checksum'],
  ])('%s', (_what, kind, strength) => {
    expect(storedStrength({ ...checked, kind })).toBe(strength)
  })

  it('the strength of a stored address stays below a checksum where the check found less', () => {
    for (const strength of ['format', 'none'] as const)
      for (const kind of ['evm', 'p2pkh'])
        expect(storedStrength({ ...checked, strength, kind })).toBe(strength)
  })
})

describe('an address in use', () => {
  it.each(valid)('$currency $kind is accepted: $address', (v) => {
    const { address, kind, strength } = checkAddress(v.currency as string, v.address as string)
    expect({ address, kind, strength }).toEqual({
      address: v.stored,
      kind: v.kind,
      strength: v.strength,
    })
  })

  it('covers every chain of the table', () => {
    const covered = new Set(valid.map((v) => v.currency))
    const alike = new Set(['MATIC', 'FTM', 'HT', 'KLAY', 'CELO', 'ETC', 'VET', 'THETA', 'CRO'])
    const missing = Object.keys(chains).filter((t) => !covered.has(t) && !alike.has(t))
    expect(missing, 'Add an example to test-vectors/addresses-valid.txt').toEqual([])
    for (const ticker of alike) expect(checkAddress(ticker, evmExample).network).toBe(ticker)
  })
})

describe('addresses encoded by another library', () => {
  const encoded = lines('addresses-encoded.txt').map((line) => line.split(' ') as [string, string])
  const tickers = [...new Set(encoded.map(([ticker]) => ticker))]

  it.each(tickers)('addresses encoded by another library are accepted: %s', (ticker) => {
    const check = chains[(ticker === 'IOTA' ? 'MIOTA' : ticker) as keyof typeof chains].check
    const addresses = encoded.filter(([of]) => of === ticker).map(([, address]) => address)
    expect(new Set(addresses).size).toBeGreaterThanOrEqual(25)
    expect(addresses.filter((text) => !isMatch(check(text)))).toEqual([])
  })
})

describe('a refused address', () => {
  it.each(invalid)('$currency $code: $address', (v) => {
    const error = refusal(v.currency as string, v.address as string)
    expect([error?.code, error?.message]).toEqual([v.code, v.message])
  })

  it.each([
    ['nothing', '', 'The address is empty.'],
    ['a space', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa ', 'An address has no spaces or line breaks.'],
    [
      'a line break',
      '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa\n',
      'An address has no spaces or line breaks.',
    ],
    ['a text of megabytes', 'a'.repeat(1_000_000), 'An address has at most 256 characters.'],
    ['a letter of another script', '1А1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', 'only plain letters'],
    ['a NUL', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa\0', 'only plain letters'],
  ])('%s is refused', (_, text, words) => {
    expect(refusal('BTC', text)?.message).toContain(words)
  })
})

describe('one changed character', () => {
  const checked = valid.filter(
    (v) => v.strength === 'checksum' && findNetwork(v.currency as string),
  )

  it('one changed character is tested for every currency with a checksum', () => {
    const tickers = new Set(checked.map((v) => v.currency))
    const required =
      'BTC ETH XMR LTC DOGE BCH XRP XLM DOT TRX ATOM ZEC DASH FIL ALGO XTZ ADA'.split(' ')
    expect(required.filter((ticker) => !tickers.has(ticker))).toEqual([])
  })

  it.each(checked)(
    'one changed character of a $currency $kind address never yields another one',
    (v) => {
      const check = findNetwork(v.currency as string)?.check
      const acceptedTexts = mutations(v.address as string).filter((text) => {
        const verdict = check?.(text)
        if (!isMatch(verdict) || verdict.network === 'test') return false
        return verdict.strength === 'checksum' && verdict.address !== v.stored
      })
      expect(acceptedTexts).toEqual([])
    },
  )

  it.each(checked)(
    'one changed character of a $currency $kind address does not match Solana or Arweave',
    (v) => {
      const takenTexts = mutations(v.address as string).filter(
        (text) => isMatch(chains.SOL.check(text)) || isMatch(chains.AR.check(text)),
      )
      expect(takenTexts).toEqual([])
    },
  )
})

describe('detectChain', () => {
  it.each([
    ['1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', ['BTC', 'BSV']],
    ['ltc1qdp7p2rpx4a2f80h7a4crvppczgg4egmv5c78w8', ['LTC']],
    ['TUrMmF9Gd4rzrXsQ34ui3Wou94E7HFuJQh', ['TRX']],
    ['alice.near', ['NEAR', 'EOS']],
    ['3Ai1JZ8pdJb2ksieUV8FsxSNVJCpoPi8W6', ['BTC']],
    ['bitcoincash:zr6m7j9njldwwzlg9v7v53unlr4jkmx6eycnjehshe', ['BCH']],
    ['cosmos1depk54cuajgkzea6zpgkq36tnjwdzv4afc3d27', ['ATOM']],
    ['osmo1depk54cuajgkzea6zpgkq36tnjwdzv4aprzauv', []],
    ['osmo1j63fd53y72zuv7lwj0pslz3sj9tlpk4rs35mx4', []],
    ['kava1depk54cuajgkzea6zpgkq36tnjwdzv4a4d9sue', []],
    ['5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY', []],
    ['AHy6YZA8BsHgQfVkk7MbwpAN94iyN7Nf1zN4nPqUN32Q', ['SOL']],
    ['no address at all', []],
    ['x'.repeat(10_000), []],
  ])('%.30s… belongs to %j', (text, tickers) => {
    expect(detectChain(text).map(({ ticker }) => ticker)).toEqual(tickers)
  })

  it('names Ethereum first for the format that all EVM chains share', () => {
    expect(detectChain(evmExample)[0]).toMatchObject({ ticker: 'ETH', strength: 'checksum' })
    expect(detectChain(evmExample).length).toBeGreaterThan(10)
  })

  it('names a test network', () => {
    expect(detectChain('tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx')).toMatchObject([
      { ticker: 'BTC', network: 'test' },
    ])
  })
})

it('the checks in a separate process survive any input', async () => {
  const script = join(core, 'test/fuzz-checks.mjs')
  const examples = join(core, 'test-vectors/addresses-valid.txt')
  const seed = '20231115'
  const args = ['--max-old-space-size=128', script, examples, seed]
  const run = promisify(execFile)(process.execPath, args)
  const counts = JSON.parse((await run).stdout)
  expect(counts.strange).toEqual([])
  expect(counts.refused).toBeGreaterThan(3_000)
  expect(counts.accepted).toBeGreaterThan(8_000)
})

describe('currencies without their own chain', () => {
  it('currencies without their own chain are paid on chains of the table only', () => {
    const namedTags = knownTags().filter((info) => info.class === 'crypto' && info.ticker)
    expect(namedTags.length).toBeGreaterThan(95)
    expect(
      namedTags.filter(({ ticker }) => !networksOf(ticker as string)),
      'Add their chain to addresses/chains.ts, or their networks to addresses/token-networks.ts.',
    ).toEqual([])
    expect(networksOf('USDT')).toContain('TRX')
    expect(networksOf('UNI')).toEqual(['ETH'])
    expect(networksOf('BTC')).toEqual(['BTC'])
    expect(networksOf('lunc')).toEqual(['LUNA'])
    expect(networksOf('XTM')).toBeUndefined()
  })
})

const evmExample = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'

/**
 * Every position with a tenth of the letters, different ones at each: all of them take 15 seconds.
 */
function mutations(address: string): string[] {
  const letters = '0123456789ABCDEFGHJKMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
  const places = [...address].flatMap((letter, place) => (/\w/.test(letter) ? [place] : []))
  return places.flatMap((place) =>
    [...letters]
      .filter((letter, nth) => nth % 10 === place % 10 && letter !== address[place])
      .map((letter) => address.slice(0, place) + letter + address.slice(place + 1)),
  )
}

function refusal(currency: string, text: string): AddressError | undefined {
  try {
    checkAddress(currency, text)
    return undefined
  } catch (error) {
    if (error instanceof AddressError) return error
    throw error
  }
}

function lines(name: string): string[] {
  const text = readFileSync(join(core, 'test-vectors', name), 'utf8')
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
}
