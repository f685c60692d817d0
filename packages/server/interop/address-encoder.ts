import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Check } from './check.ts'
import { withPackages } from './tools.ts'

const vectors = new URL('../../core/test-vectors/addresses-encoded.txt', import.meta.url)

/** Ticker, the name that the library has for the coin, and an address of it. */
const samples = [
  ['BTC', 'btc', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
  ['BTC', 'btc', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
  ['LTC', 'ltc', 'LaMT348PWRnrqeeWArpwQPbuanpXDZGEUz'],
  ['DOGE', 'doge', 'DBXu2kgc3xtvCUWFcxFE3r9hEYgmuaaCyD'],
  ['DASH', 'dash', 'XtAG1982HcYJVibHxRZrBmdzL5YTzj4cA1'],
  ['BCH', 'bch', 'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a'],
  ['XRP', 'xrp', 'rf1BiGeXwwQoi8Z2ueFYTEXSwuJYfV2Jpn'],
  ['XLM', 'xlm', 'GAI3GJ2Q3B35AOZJ36C4ANE3HSS4NK7WI6DNO4ZSHRAX6NG7BMX6VJER'],
  ['DOT', 'dot', '1FRMM8PEiWXYax7rpS6X4XZX1aAAxSWx1CrKTyrVYhV24fg'],
  ['KSM', 'ksm', 'DDioZ6gLeKMc5xUCeSXRHZ5U43MH1Tsrmh8T3Gcg9Vxr6DY'],
  ['TRX', 'trx', 'TUrMmF9Gd4rzrXsQ34ui3Wou94E7HFuJQh'],
  ['ATOM', 'atom', 'cosmos1depk54cuajgkzea6zpgkq36tnjwdzv4afc3d27'],
  ['ZEC', 'zec', 't1b2ArRwLq6KbdJFzJVYPxgUVT1d9QuBzTf'],
  ['FIL', 'fil', 'f15ihq5ibzwki2b4ep2f46avlkrqzhpqgtga7pdrq'],
  ['ALGO', 'algo', '7777777777777777777777777777777777777777777777777774MSJUVU'],
  ['XTZ', 'xtz', 'tz1XdRrrqrMfsFKA8iuw53xHzug9ipr6MuHq'],
  ['ADA', 'ada', 'addr1vx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzers66hrl8'],
  ['ADA', 'ada', 'Ae2tdPwUPEZFRbyhz3cpfC2CumGzNkFBN2L42rcUc2yjQpEkxDbkPodpMAi'],
  ['ETH', 'eth', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
  ['EGLD', 'egld', 'erd1qdzvfpa7gqjsnfhdxhvcp2mlysc80uz60yjhxre3lwl00q0jd4nqgauy9q'],
  ['ZIL', 'zil', 'zil139tkqvc8rw92e6jrs40gawwc3mmdmmauv3x3yz'],
  ['NANO', 'nano', 'nano_15dng9kx49xfumkm4q6qpaxneie6oynebiwpums3ktdd6t3f3dhp69nxgb38'],
  ['SC', 'sc', 'dfb563d6ec6ff876a059fcc96380a6d6718e1a7237e81580123070976243b77988cf8d0b7398'],
  ['IOTA', 'iota', 'iota1qpw6k49dedaxrt854rau02talgfshgt0jlm5w8x9nk5ts6f5x5m759nh2ml'],
  ['SOL', 'sol', 'AHy6YZA8BsHgQfVkk7MbwpAN94iyN7Nf1zN4nPqUN32Q'],
] as const

type Coder = { encode(bytes: Uint8Array): string; decode(text: string): Uint8Array }

/** The library writes the addresses that `npm test` gives to our checks. */
export const addressEncoderCheck: Check = {
  name: '@ensdomains/address-encoder: writes the addresses that our checks must accept',
  run: () =>
    withPackages(['@ensdomains/address-encoder@1.1.4'], async (folder) => {
      const { getCoderByCoinName } = createRequire(join(folder, 'x.js'))(
        '@ensdomains/address-encoder',
      ) as { getCoderByCoinName(name: string): Coder }
      const lines = samples.flatMap(([ticker, coin, sample]) =>
        variants(getCoderByCoinName(coin), sample).map((address) => `${ticker} ${address}`),
      )
      const text = readFileSync(vectors, 'utf8')
      const committedLines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
      const missing = lines.filter((line) => !committedLines.includes(line))
      if (missing.length > 0 || lines.length !== committedLines.length)
        throw new Error(`${missing.length} of its addresses are not in addresses-encoded.txt`)
      return { addresses: lines.length }
    }),
}

/** Addresses of other bytes with the same form. */
function variants({ encode, decode }: Coder, sample: string): string[] {
  const seed = decode(sample)
  return Array.from({ length: 25 }, (_, n) => {
    const bytes = Uint8Array.from(seed)
    for (let k = 8; k < 16; k++) bytes[k] = (bytes[k] as number) ^ ((n * 37 + k * 11) % 256)
    return encode(bytes)
  })
}
