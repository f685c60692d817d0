import {
  InvalidIdError,
  NetworkError,
  NoAddressError,
  RefusedError,
  UnregisteredError,
} from '@emojid/sdk'

export const currencies = [
  { name: 'Bitcoin (BTC)', unit: 'BTC', wish: { ticker: 'BTC' } },
  { name: 'Ether (ETH)', unit: 'ETH', wish: { ticker: 'ETH' } },
  { name: 'Monero (XMR)', unit: 'XMR', wish: { ticker: 'XMR' } },
  { name: 'USDC on Ethereum', unit: 'USDC', wish: { token: 'USDC', network: 'ETH' } },
  { name: 'USDT on Ethereum', unit: 'USDT', wish: { token: 'USDT', network: 'ETH' } },
]

export const unitOf = ({ ticker, token }) => ticker ?? token

/** The amount of the payment itself, not that of the form field. */
export const sumOf = ({ amount, currency }) => [amount, unitOf(currency)].filter(Boolean).join(' ')

/** The error as a text with the next step. */
export function sentenceFor(error) {
  if (error instanceof InvalidIdError) {
    const place = error.emoji ? ` Check position ${error.place}: ${error.emoji}` : ''
    return `This isn’t an emoji id. ${error.message}${place}`
  }
  if (error instanceof UnregisteredError) {
    return `${error.id} isn’t registered. Check the emojis, or ask for the right id.`
  }
  if (error instanceof NoAddressError) return `${error.message} Choose another currency.`
  if (error instanceof NetworkError)
    return 'We can’t reach the directory. Nothing was paid; try again.'
  if (error instanceof RefusedError) return `${error.message} Nothing was paid.`
  return `${error.message} Nothing was paid.`
}

/** The warning about a saved contact. */
export function warningFor({ status, entry, isRegistered, error }) {
  const name = entry.nickname ?? entry.id
  switch (status) {
    case 'changed':
      return `${name} now has a different address than the saved one. Check with them before you pay.`
    case 'new_owner':
      return `${entry.id} has a new owner. This is probably not ${name} any more.`
    case 'removed':
      return isRegistered
        ? `${name} no longer accepts ${unitOf(entry.currency)}.`
        : `${entry.id} is no longer registered.`
    default:
      return error.code === 'network'
        ? 'We couldn’t check whether this address is still valid. Try again when you’re online.'
        : `We couldn’t check whether this address is still valid. ${error.message}`
  }
}
