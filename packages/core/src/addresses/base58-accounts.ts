import { blake256 } from '@noble/hashes/blake1.js'
import { base58xrp } from '@scure/base'
import { base58Check } from './base58-check.ts'
import { type AddressCheck, anyOf, refuse } from './verdict.ts'

const testForm = { payload: 29, coder: base58xrp } as const

const tagBehindAddress: AddressCheck = (text) =>
  /^r[1-9A-HJ-NP-Za-km-z]{24,34}[:?]/.test(text)
    ? {
        refused:
          'A destination tag can’t follow the address. Use the X-address, which contains both.',
      }
    : undefined

/** Classic addresses, and X-addresses that hold the destination tag too. */
export const ripple = anyOf(
  base58Check({ main: [[[0x00], 'classic']], coder: base58xrp }),
  base58Check({
    main: [[[0x05, 0x44], 'x-address']],
    test: [[[0x04, 0x93], 'x-address']],
    ...testForm,
  }),
  tagBehindAddress,
)

export const tron = base58Check({ main: [[[0x41], 'account']] })

export const tezos = base58Check({
  main: [
    [[0x06, 0xa1, 0x9f], 'tz1'],
    [[0x06, 0xa1, 0xa1], 'tz2'],
    [[0x06, 0xa1, 0xa4], 'tz3'],
    [[0x06, 0xa1, 0xa6], 'tz4'],
    [[0x02, 0x5a, 0x79], 'KT1'],
  ],
})

export const ontology = base58Check({ main: [[[0x17], 'account']] })

export const neo = anyOf(
  base58Check({ main: [[[0x35], 'account']] }),
  refuse(
    ontology,
    'This is an Ontology address, or one of the first Neo chain: Neo N3 addresses begin with N.',
  ),
)

export const decred = base58Check({
  main: [
    [[0x07, 0x3f], 'p2pkh'],
    [[0x07, 0x1a], 'p2sh'],
  ],
  test: [
    [[0x0f, 0x21], 'p2pkh'],
    [[0x0e, 0xfc], 'p2sh'],
  ],
  digest: (bytes) => blake256(blake256(bytes)),
})
