import {
  AddressError,
  AmountError,
  checkAddress,
  checkAmount,
  mainTicker,
  networkTicker,
  otherCurrencyTag,
  type PaymentAddress,
  parseTickerAddress,
  paymentAddresses,
  paymentUri,
  type StoredRecord,
  type Strength,
  tagsOfTicker,
  tokenAddress,
} from '@emojid/core'
import { InvalidRequestError, NoAddressError, ProofError, UnexpectedAnswerError } from './errors.ts'
import { isObject } from './http/read-answer.ts'

/** The currency of a payment: a coin by its ticker, or a token on a network. */
export type Currency = { ticker: string } | { token: string; network: string }

export type PaymentWish = Currency & {
  /** A decimal text such as `'0.25'`; a floating point number would lose money. */
  amount?: string
  /** The recipient and the purpose, for wallets that show them. */
  label?: string
  message?: string
}

export type Payment = {
  id: string
  currency: Currency
  address: string
  /**
   * Opens a wallet; undefined if the currency has no standard, so only the address can be shown.
   */
  uri: string | undefined
  amount: string | undefined
  /**
   * The source of the address: the record of the coin, of the token, or of the token's network (the
   * fallback).
   */
  source: 'coin_record' | 'token_record' | 'network_record'
  /** How far the address was checked here: its checksum, its format, or nothing. */
  checked: Strength
  /** The owner's description of the address. */
  description: string | undefined
}

/**
 * Chooses the address by the same rules as the service; throws `NoAddressError`,
 * `InvalidRequestError`. The order of proven records is not proven: `ProofError` is thrown if it
 * would decide.
 */
export function paymentFrom(
  id: string,
  records: readonly StoredRecord[],
  wish: PaymentWish,
  { isProven = false }: { isProven?: boolean } = {},
): Payment {
  const { amount, label, message, ...currency } = readWish(wish)
  const match = chosenFrom(records, currency)
  if (!match) throw new NoAddressError(id, nameOf(currency))
  if (isProven && couldDecide(records, currency).size > 1) throw unprovenOrder(id, currency)
  const target =
    'token' in currency
      ? { ticker: currency.token, network: currency.network }
      : { ticker: currency.ticker }
  const extra = omitEmpty({ amount, label, message })
  try {
    const { address, strength } = checkAddress(target.network ?? target.ticker, match.address)
    return {
      id,
      currency,
      address,
      source: match.source,
      checked: strength,
      amount,
      description: match.description,
      uri: paymentUri({ ...target, ...extra, address }),
    }
  } catch (error) {
    if (error instanceof AmountError) throw new InvalidRequestError(error.message)
    if (!(error instanceof AddressError)) throw error
    const message = `${id} has an invalid address for ${nameOf(currency)}: ${error.message}`
    throw new UnexpectedAnswerError(message, { cause: error })
  }
}

export const nameOf = (currency: Currency): string =>
  'token' in currency ? `${currency.token} on ${currency.network}` : currency.ticker

type AddressChoice = Pick<PaymentAddress, 'address' | 'description'> & {
  source: Payment['source']
  default?: boolean
}

const chosenFrom = (
  records: readonly StoredRecord[],
  currency: Currency,
): AddressChoice | undefined =>
  'token' in currency ? ofToken(records, currency) : ofCoin(records, currency.ticker)

/** The addresses that these records could give in some order. */
function couldDecide(records: readonly StoredRecord[], currency: Currency): Set<string> {
  const all = records.flatMap((record) => chosenFrom([record], currency) ?? [])
  const own = all.filter(({ source }) => source !== 'network_record')
  const fitting = own.length > 0 ? own : all
  const defaults = fitting.filter((one) => one.default)
  return new Set((defaults.length > 0 ? defaults : fitting).map(({ address }) => address))
}

const unprovenOrder = (id: string, currency: Currency) =>
  new ProofError(
    'order',
    `${id} has several addresses for ${nameOf(currency)}, and their order is not signed.`,
  )

function ofToken(
  records: readonly StoredRecord[],
  { token, network }: { token: string; network: string },
): AddressChoice | undefined {
  return tokenAddress(records, token, network)
}

/** The category of the coin, else the generic one. */
function ofCoin(records: readonly StoredRecord[], ticker: string): AddressChoice | undefined {
  const tags = tagsOfTicker(ticker)
  if (tags) {
    const addresses = Object.values(paymentAddresses(records, tags))
    const chosenAddress = addresses.find((one) => one.default) ?? addresses[0]
    return chosenAddress && { ...chosenAddress, source: 'coin_record' }
  }
  const generic = records
    .filter(({ tag }) => tag === otherCurrencyTag)
    .map(({ data }) => parseTickerAddress(data))
    .findLast((one) => mainTicker(one.ticker) === ticker)
  return generic && { address: generic.address, source: 'coin_record' }
}

/** Validates a payment request before anything is sent. */
export function readWish(wish: PaymentWish): PaymentWish {
  if (!isObject(wish)) throw new InvalidRequestError("Pass a currency: { ticker: 'BTC' }.")
  const { amount, label, message } = wish
  for (const [name, text] of Object.entries({ amount, label, message })) {
    if (text !== undefined && typeof text !== 'string') {
      throw new InvalidRequestError(`${name} must be a text.`)
    }
  }
  if (amount !== undefined) assertAmount(amount)
  return { ...readCurrency(wish), ...omitEmpty({ amount, label, message }) }
}

/** Checks the format only: the payment link knows the decimal places of its currency. */
function assertAmount(amount: string): void {
  try {
    checkAmount(amount, mostPlaces)
  } catch (error) {
    throw new InvalidRequestError((error as Error).message)
  }
}

const mostPlaces = 30

export function readCurrency(wish: Currency): Currency {
  if ('token' in wish && wish.token !== undefined) {
    const { token, network } = wish
    if (typeof token !== 'string' || !/^[A-Za-z0-9$.+_-]{1,16}$/.test(token)) throw unknown(token)
    if (typeof network !== 'string' || !/^[A-Za-z0-9]{2,12}$/.test(network)) {
      throw new InvalidRequestError('Pass the network of the token, such as ETH.')
    }
    return { token: token.toUpperCase(), network: networkTicker(network) }
  }
  const { ticker } = wish as { ticker: unknown }
  if (typeof ticker !== 'string' || !/^[A-Za-z0-9]{1,12}$/.test(ticker)) throw unknown(ticker)
  return { ticker: mainTicker(ticker) }
}

const unknown = (name: unknown) =>
  new InvalidRequestError(
    `“${typeof name === 'string' ? name : typeof name}” is not a currency. Use its ticker, such as BTC.`,
  )

function omitEmpty(parts: Record<'amount' | 'label' | 'message', string | undefined>) {
  return Object.fromEntries(Object.entries(parts).filter(([, text]) => text !== undefined))
}
