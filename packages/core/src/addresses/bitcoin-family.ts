import { base58Check, type Versions } from './base58-check.ts'
import { segwit } from './segwit.ts'
import { anyOf, refuse } from './verdict.ts'

const forms = (keyHash: readonly number[], scriptHash: readonly number[]): Versions => [
  [keyHash, 'p2pkh'],
  [scriptHash, 'p2sh'],
]

/** Most forks kept Bitcoin's test-network bytes, so those are ambiguous. */
const sharedTest = forms([0x6f], [0xc4])

const oldScript = base58Check({ main: [[[0x05], 'p2sh']] })

export const bitcoin = anyOf(
  base58Check({ main: forms([0x00], [0x05]), test: sharedTest }),
  segwit({ bc: 'main', tb: 'test', bcrt: 'test' }),
)

export const litecoin = anyOf(
  base58Check({ main: forms([0x30], [0x32]), test: forms([0x6f], [0x3a]) }),
  segwit({ ltc: 'main', tltc: 'test', rltc: 'test' }),
  refuse(
    oldScript,
    'Addresses that begin with 3 are Bitcoin’s, or Litecoin’s in an old spelling: use the Litecoin address that begins with M, L or ltc1.',
  ),
)

export const dogecoin = base58Check({
  main: forms([0x1e], [0x16]),
  test: forms([0x71], [0xc4]),
})

export const dash = base58Check({ main: forms([0x4c], [0x10]), test: forms([0x8c], [0x13]) })

/** Bitcoin SV gave up script addresses; its key addresses look exactly like Bitcoin's. */
export const bitcoinSv = base58Check({ main: [[[0x00], 'p2pkh']], test: [[[0x6f], 'p2pkh']] })

export const bitcoinGold = anyOf(
  base58Check({ main: forms([0x26], [0x17]), test: sharedTest }),
  segwit({ btg: 'main', tbtg: 'test' }),
)

export const digibyte = anyOf(
  base58Check({ main: forms([0x1e], [0x3f]), test: forms([0x7e], [0x8c]) }),
  segwit({ dgb: 'main', dgbt: 'test' }),
)

export const qtum = anyOf(
  base58Check({ main: forms([0x3a], [0x32]), test: forms([0x78], [0x6e]) }),
  segwit({ qc: 'main', tq: 'test' }),
)

export const ravencoin = base58Check({ main: forms([0x3c], [0x7a]), test: sharedTest })

export const horizen = base58Check({
  main: forms([0x20, 0x89], [0x20, 0x96]),
  test: forms([0x20, 0x98], [0x20, 0x92]),
})
