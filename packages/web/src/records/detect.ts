import { detectChain, mistypedChain, networkName, type Strength } from '@emojid/core'
import { type Currency, currencies } from './currencies.ts'

export type Detected = {
  /** What the text can be an address of, the likeliest first. */
  found: readonly Currency[]
  strength: Strength
  /** It is one, but only of a network where nothing is worth anything. */
  isTest: boolean
  /** Whose address it would be, but for a typing error. */
  mistyped: string | undefined
}

/** Shorter texts are names that several chains take; nobody pastes those to find out what they are. */
const shortest = 20

/** Which currencies an address can be of, as far as its form tells. */
export function detect(text: string): Detected {
  const matches = text.length < shortest ? [] : detectChain(text)
  const real = matches.filter(({ network }) => network === 'main')
  const strength = real[0]?.strength ?? 'none'
  const tickers: readonly string[] = real
    .filter((one) => one.strength === strength)
    .map(({ ticker }) => ticker)
  const found = tickers.flatMap(
    (wanted) => currencies().find(({ ticker }) => ticker === wanted) ?? [],
  )
  const near = text.length < shortest || matches.length > 0 ? undefined : mistypedChain(text)
  return {
    found,
    strength,
    isTest: real.length === 0 && matches.length > 0,
    mistyped: near && networkName(near),
  }
}
