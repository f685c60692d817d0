import { paymentAddresses, recordHash, type Tag } from '@emojid/core'
import { describe, expect, it } from 'vitest'
import { evmNetworks, evmRecord } from './evm-networks.ts'

const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'

describe('one address for several networks', () => {
  it('one address for several networks has a valid record for every listed network, each found by payers', () => {
    const networks = evmNetworks()
    const records = networks.map(({ ticker }) => evmRecord(ticker, address, 'Main'))
    const storedRecords = records.flatMap((one) => {
      if ('why' in one) throw new Error(one.why)
      const { tag, data } = one.record
      return { tag: tag as Tag, data, hash: recordHash(tag as Tag, data) }
    })
    const foundAddresses = Object.values(paymentAddresses(storedRecords))
    expect(foundAddresses).toHaveLength(networks.length)
    for (const one of foundAddresses) expect(one.address).toBe(address)
  })

  it('names Ethereum, Base, Arbitrum, Optimism and Polygon first', () => {
    const names = evmNetworks().filter(({ isUsual }) => isUsual)
    expect(names.map(({ ticker }) => ticker)).toEqual([
      'ETH',
      'BASE',
      'ARBITRUM',
      'OPTIMISM',
      'MATIC',
    ])
  })

  it('refuses an address with a wrong checksum on every network', () => {
    const wrong = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD'
    for (const { ticker } of evmNetworks())
      expect(evmRecord(ticker, wrong, '')).toMatchObject({ code: 'wrong_checksum' })
  })

  it('verifies the format only if the entered text has no checksum', () => {
    const mistyped = '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaee'
    for (const { ticker } of evmNetworks()) {
      expect(evmRecord(ticker, mistyped, '')).toMatchObject({ strength: 'format' })
      expect(evmRecord(ticker, address, '')).toMatchObject({ strength: 'checksum' })
    }
  })
})
