import { base58Check } from './base58-check.ts'
import { wordBytes } from './decode.ts'
import { type AddressCheck, anyOf, refuse } from './verdict.ts'

const letters = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
const prefixes = { bitcoincash: 'main', bchtest: 'test', bchreg: 'test' } as const
const generators = [0x98f2bc8e61n, 0x79b76d99e2n, 0xf33e5fb3c4n, 0xae2eabe2a8n, 0x1e4f43e470n]

/**
 * Version byte → kind of address and length of its hash. Token-aware wallets use a separate kind.
 */
const kinds: Readonly<Record<number, readonly [kind: string, length: number]>> = {
  0: ['p2pkh', 20],
  8: ['p2sh', 20],
  11: ['p2sh', 32],
  16: ['p2pkh-with-tokens', 20],
  24: ['p2sh-with-tokens', 20],
  27: ['p2sh-with-tokens', 32],
}

const legacy = base58Check({
  main: [
    [[0x00], 'p2pkh'],
    [[0x05], 'p2sh'],
  ],
})

/** CashAddr, with or without its prefix; stored with it. */
const cashAddress: AddressCheck = (text) => {
  const lower = text === text.toUpperCase() ? text.toLowerCase() : text
  const parts = lower.split(':')
  const body = parts.length === 2 ? (parts[1] as string) : lower
  if (parts.length > 2 || !/^[qpzr]([02-9ac-hj-np-z]{41}|[02-9ac-hj-np-z]{60})$/.test(body))
    return undefined
  const named = parts.length === 2 ? [parts[0]] : Object.keys(prefixes)
  const prefix = named.find((name) => name !== undefined && checksumFits(name, body))
  if (prefix === undefined) return named.length > 1 || isPrefix(named[0]) ? 'checksum' : undefined
  if (!isPrefix(prefix)) return undefined
  const bytes = wordBytes(wordsOf(body).slice(0, -8))
  const match = kinds[bytes?.[0] ?? -1]
  if (match === undefined || bytes?.length !== 1 + match[1]) return undefined
  const [kind] = match
  return { address: `${prefix}:${body}`, strength: 'checksum', network: prefixes[prefix], kind }
}

export const bitcoinCash = anyOf(
  cashAddress,
  refuse(
    legacy,
    'This is a Bitcoin address, or the old form of a Bitcoin Cash one: use the form that begins with “bitcoincash:”.',
  ),
)

function isPrefix(text: string | undefined): text is keyof typeof prefixes {
  return text !== undefined && Object.hasOwn(prefixes, text)
}

function wordsOf(body: string): number[] {
  return [...body].map((letter) => letters.indexOf(letter))
}

function checksumFits(prefix: string, body: string): boolean {
  if (prefix.length > 20) return false
  const head = [...prefix].map((letter) => letter.charCodeAt(0) & 31)
  let sum = 1n
  for (const word of [...head, 0, ...wordsOf(body)]) {
    const top = sum >> 35n
    sum = ((sum & 0x07ffffffffn) << 5n) ^ BigInt(word)
    for (const [bit, generator] of generators.entries())
      if ((top >> BigInt(bit)) & 1n) sum ^= generator
  }
  return sum === 1n
}
