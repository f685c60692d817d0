import { networkName, type Strength, tokenTag } from '@emojid/core'
import type { NewRecord } from '../api/records.ts'
import { type Currency, choose, currencies } from './currencies.ts'
import { isRefused, judge, type Refusal } from './judge.ts'
import { noParts, type Parts, recordOf } from './parts.ts'

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

/** The strength is that of the entered text. */
export type EvmRecord = { record: NewRecord; strength: Strength }

/** The record that takes payments at this address on a network, or the reason why there is none. */
export function evmRecord(network: string, address: string, label: string): EvmRecord | Refusal {
  const parts = { ...noParts, text: address, label }
  const { tag, is } = etherChains.includes(network)
    ? judgeEther(network, parts)
    : choose({ currency: findCoin(network), network: '' }, parts)
  return isRefused(is) ? is : { record: { tag, data: is.data }, strength: is.strength }
}

function judgeEther(network: string, parts: Parts) {
  const record = recordOf(tokenTag, { ...parts, ticker: 'ETH', longName: 'Ether', network })
  return { ...record, is: judge(record) }
}

function findCoin(network: string): Currency {
  const coin = currencies().find(({ ticker }) => ticker === network)
  if (!coin) throw new Error(`${network} is not a coin.`)
  return coin
}
