import { algorand, nem, stellar } from './base32-accounts.ts'
import { decred, neo, ontology, ripple, tezos, tron } from './base58-accounts.ts'
import * as account from './bech32-accounts.ts'
import { bitcoinCash } from './bitcoin-cash.ts'
import * as coin from './bitcoin-family.ts'
import { cardano } from './cardano.ts'
import { evm } from './evm.ts'
import { filecoin } from './filecoin.ts'
import { arweave, eos, icon, near, solana } from './formats.ts'
import { hedera } from './hedera.ts'
import { internetComputer } from './internet-computer.ts'
import { monero } from './monero.ts'
import { nano, siacoin, waves } from './other-checksums.ts'
import { stacks } from './stacks.ts'
import { substrate } from './substrate.ts'
import { ton } from './ton.ts'
import type { AddressCheck } from './verdict.ts'
import { zcash } from './zcash.ts'

/** `tokensAt`: the kind of address that receives tokens without preparation, if there is one. */
export type Chain = { name: string; check: AddressCheck; tokensAt?: string; obscure?: boolean }

/**
 * Every chain with an address check, by the ticker of its coin. `obscure` chains accept so many
 * texts that a match without checksum says little; error messages do not name them.
 */
export const chains = {
  BTC: { name: 'Bitcoin', check: coin.bitcoin },
  ETH: { name: 'Ethereum', check: evm, tokensAt: 'evm' },
  XMR: { name: 'Monero', check: monero },
  LTC: { name: 'Litecoin', check: coin.litecoin },
  DOGE: { name: 'Dogecoin', check: coin.dogecoin },
  BCH: { name: 'Bitcoin Cash', check: bitcoinCash },
  XRP: { name: 'XRP', check: ripple },
  XLM: { name: 'Stellar', check: stellar },
  SOL: { name: 'Solana', check: solana, tokensAt: 'account' },
  TRX: { name: 'TRON', check: tron, tokensAt: 'account' },
  ADA: { name: 'Cardano', check: cardano },
  DOT: { name: 'Polkadot', check: substrate(0, 'Polkadot') },
  KSM: { name: 'Kusama', check: substrate(2, 'Kusama') },
  BNB: { name: 'BNB Smart Chain', check: account.bnb, tokensAt: 'evm' },
  MATIC: { name: 'Polygon', check: evm, tokensAt: 'evm' },
  AVAX: { name: 'Avalanche', check: account.avalanche, tokensAt: 'evm' },
  FTM: { name: 'Fantom', check: evm, tokensAt: 'evm' },
  HT: { name: 'HECO', check: evm, tokensAt: 'evm' },
  KLAY: { name: 'Klaytn', check: evm, tokensAt: 'evm' },
  CELO: { name: 'Celo', check: evm, tokensAt: 'evm' },
  CRO: { name: 'Cronos', check: account.cronos, tokensAt: 'evm' },
  ONE: { name: 'Harmony', check: account.harmony, tokensAt: 'evm' },
  ETC: { name: 'Ethereum Classic', check: evm, tokensAt: 'evm' },
  VET: { name: 'VeChain', check: evm, tokensAt: 'evm' },
  THETA: { name: 'Theta', check: evm, tokensAt: 'evm' },
  ATOM: { name: 'Cosmos Hub', check: account.cosmos },
  LUNA: { name: 'Terra', check: account.terra },
  RUNE: { name: 'THORChain', check: account.thorchain },
  EGLD: { name: 'MultiversX', check: account.multiversX },
  ZIL: { name: 'Zilliqa', check: account.zilliqa },
  MIOTA: { name: 'IOTA', check: account.iota, obscure: true },
  ZEC: { name: 'Zcash', check: zcash },
  DASH: { name: 'Dash', check: coin.dash },
  DCR: { name: 'Decred', check: decred },
  BSV: { name: 'Bitcoin SV', check: coin.bitcoinSv },
  BTG: { name: 'Bitcoin Gold', check: coin.bitcoinGold },
  DGB: { name: 'DigiByte', check: coin.digibyte },
  QTUM: { name: 'Qtum', check: coin.qtum },
  RVN: { name: 'Ravencoin', check: coin.ravencoin },
  ZEN: { name: 'Horizen', check: coin.horizen },
  FIL: { name: 'Filecoin', check: filecoin },
  ALGO: { name: 'Algorand', check: algorand },
  XTZ: { name: 'Tezos', check: tezos },
  ICP: { name: 'Internet Computer', check: internetComputer },
  NEO: { name: 'Neo', check: neo },
  ONT: { name: 'Ontology', check: ontology },
  WAVES: { name: 'Waves', check: waves },
  XEM: { name: 'NEM', check: nem },
  NANO: { name: 'Nano', check: nano },
  STX: { name: 'Stacks', check: stacks },
  SC: { name: 'Siacoin', check: siacoin },
  HBAR: { name: 'Hedera', check: hedera },
  NEAR: { name: 'NEAR', check: near, obscure: true },
  EOS: { name: 'EOS', check: eos, obscure: true },
  AR: { name: 'Arweave', check: arweave, obscure: true },
  ICX: { name: 'ICON', check: icon },
} as const satisfies Readonly<Record<string, Chain>>

export type ChainTicker = keyof typeof chains

export const chainTickers = Object.keys(chains) as ChainTicker[]

export function findChain(ticker: string): Chain | undefined {
  return Object.hasOwn(chains, ticker) ? chains[ticker as ChainTicker] : undefined
}

/**
 * Chains whose coin has no category, by their stored name: only tokens are paid on them. Without
 * `tokensAt`, since no address of the chain can replace that of a token.
 */
export const otherChains: Readonly<Record<string, Chain>> = {
  ARBITRUM: { name: 'Arbitrum One', check: evm },
  BASE: { name: 'Base', check: evm },
  BLAST: { name: 'Blast', check: evm },
  GNOSIS: { name: 'Gnosis Chain', check: evm },
  LINEA: { name: 'Linea', check: evm },
  MANTLE: { name: 'Mantle', check: evm },
  OPTIMISM: { name: 'OP Mainnet', check: evm },
  SCROLL: { name: 'Scroll', check: evm },
  ZKSYNC: { name: 'zkSync Era', check: evm },
  INJ: { name: 'Injective', check: account.injective },
  TON: { name: 'TON', check: ton },
}

/** A chain of either table. */
export function findNetwork(ticker: string): Chain | undefined {
  return findChain(ticker) ?? (Object.hasOwn(otherChains, ticker) ? otherChains[ticker] : undefined)
}

/** True if the chain has Ethereum accounts. */
export function isEvm(ticker: string): boolean {
  const chain = findNetwork(ticker)
  return chain?.tokensAt === 'evm' || chain?.check === evm
}

/** Coins with their own chain but without an address check. */
const uncheckedChains =
  'XTR XTM APT SUI SEI TIA OSMO KAVA DYDX FET BAND XPRT AKT KAS FLOW MINA ELF WEMIX QKC FX XDB XDC ROSE'

export function isUncheckedChain(ticker: string): boolean {
  return uncheckedChains.split(' ').includes(ticker)
}
