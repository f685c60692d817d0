import { networkName } from '@emojid/core'
import type { NewRecord } from '../api/records.ts'
import { choose, currencies } from './currencies.ts'
import { isRefused, judge } from './judge.ts'
import { noParts, recordOf } from './parts.ts'

/** A network whose wallets use the same address as on Ethereum. */
export type EvmNetwork = { ticker: string; name: string; isUsual: boolean }

/** Chains with an own coin have its category; the coin of the others is ether, kept as a token. */
const ownCoins = ['ETH', 'MATIC', 'BNB', 'AVAX', 'CELO', 'FTM']
const etherChains = ['BASE', 'ARBITRUM', 'OPTIMISM', 'LINEA']
const usual = ['ETH', 'BASE', 'ARBITRUM', 'OPTIMISM', 'MATIC']

export const evmNetworks = (): EvmNetwork[] =>
  [...usual, ...[...ownCoins, ...etherChains].filter((ticker) => !usual.includes(ticker))].map(
    (ticker) => ({ ticker, name: networkName(ticker), isUsual: usual.includes(ticker) }),
  )

/** The record that takes payments at this address on a network; undefined if core refuses it. */
export function evmRecord(network: string, address: string, label: string): NewRecord | undefined {
  const parts = { ...noParts, text: address, label }
  if (etherChains.includes(network)) {
    const ether = { ...parts, ticker: 'ETH', longName: 'Ether', network }
    const verdict = judge(recordOf('0x6300', ether))
    return isRefused(verdict) ? undefined : { tag: '0x6300', data: verdict.data }
  }
  const currency = currencies().find(({ ticker }) => ticker === network)
  if (!currency) return undefined
  const { tag, is } = choose({ currency, network: '' }, parts)
  return isRefused(is) ? undefined : { tag, data: is.data }
}
