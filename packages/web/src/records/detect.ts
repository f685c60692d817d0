import { detectChain, mistypedChain, networkName, type Strength } from '@emojid/core'
import { type Currency, currencies } from './currencies.ts'

export type AddressDetection = {
  /** The possible currencies, most likely first. */
  currencies: readonly Currency[]
  strength: Strength
  /** An address of a test network only. */
  isTest: boolean
  /** The currency that it would fit without a typo. */
  mistyped: string | undefined
}

/** Shorter texts are account names that several chains accept, so detection makes no sense. */
const shortest = 20

/** The currencies that an address can belong to by its form. */
export function detect(text: string): AddressDetection {
  const matches = text.length < shortest ? [] : detectChain(text)
  const real = matches.filter(({ network }) => network === 'main')
  const strength = real[0]?.strength ?? 'none'
  const tickers: readonly string[] = real
    .filter((one) => one.strength === strength)
    .map(({ ticker }) => ticker)
  const candidates = tickers.flatMap(
    (symbol) => currencies().find(({ ticker }) => ticker === symbol) ?? [],
  )
  const near = text.length < shortest || matches.length > 0 ? undefined : mistypedChain(text)
  return {
    currencies: candidates,
    strength,
    isTest: real.length === 0 && matches.length > 0,
    mistyped: near && networkName(near),
  }
}
