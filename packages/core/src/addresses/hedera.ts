import type { AddressCheck } from './verdict.ts'

const P3 = 26 ** 3
const P5 = 26 ** 5

/** shard.realm.number, optionally with the five checksum letters of HIP-15, which also name the network. */
export const hedera: AddressCheck = (text) => {
  const parts =
    /^((?:0|[1-9]\d{0,9})\.(?:0|[1-9]\d{0,9})\.(?:0|[1-9]\d{0,18}))(?:-([a-z]{5}))?$/.exec(text)
  if (!parts) return undefined
  const [, account, letters] = parts as unknown as [string, string, string | undefined]
  if (letters === undefined)
    return { address: text, strength: 'format', network: 'main', kind: 'account' }
  const ledger = [0, 1, 2].find((id) => checksum(account, id) === letters)
  if (ledger === undefined) return 'checksum'
  const network = ledger === 0 ? 'main' : 'test'
  return { address: text, strength: 'checksum', network, kind: 'account' }
}

function checksum(account: string, ledger: number): string {
  const digits = [...account].map((digit) => (digit === '.' ? 10 : Number(digit)))
  const sum = (parity: number) =>
    digits.reduce((total, digit, place) => (place % 2 === parity ? total + digit : total), 0) % 11
  const weightedSum = digits.reduce((total, digit) => (31 * total + digit) % P3, 0)
  const ledgerHash = [ledger, 0, 0, 0, 0, 0, 0].reduce((total, byte) => (31 * total + byte) % P5, 0)
  const mixed =
    ((((digits.length % 5) * 11 + sum(0)) * 11 + sum(1)) * P3 + weightedSum + ledgerHash) % P5
  let value = Number((BigInt(mixed) * 1000003n) % BigInt(P5))
  let letters = ''
  for (let place = 0; place < 5; place++, value = Math.floor(value / 26))
    letters = String.fromCharCode(97 + (value % 26)) + letters
  return letters
}
