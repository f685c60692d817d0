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

/** What a payment pays: its own amount, and never what stands in a field by now. */
export const sumOf = ({ amount, currency }) => [amount, unitOf(currency)].filter(Boolean).join(' ')

/** What went wrong, and what to do next. */
export function sentenceFor(error) {
  if (error instanceof InvalidIdError) {
    const place = error.emoji ? ` Look at place ${error.place}: ${error.emoji}` : ''
    return `This is not an emoji id. ${error.message}${place}`
  }
  if (error instanceof UnregisteredError) {
    return `Nobody has ${error.id} yet. Check the emojis, or ask for the right id.`
  }
  if (error instanceof NoAddressError) return `${error.message} Choose another currency.`
  if (error instanceof NetworkError)
    return 'The directory cannot be reached. Nothing was paid; try again.'
  if (error instanceof RefusedError) return `${error.message} Nothing was paid.`
  return `${error.message} Nothing was paid.`
}

/** What became of somebody who is remembered. */
export function warningFor({ status, entry, isRegistered, error }) {
  const name = entry.nickname ?? entry.id
  switch (status) {
    case 'changed':
      return `${name} gives another address now than the one you remembered. Ask them before you pay.`
    case 'new_owner':
      return `${entry.id} belongs to somebody else now. This is probably not who you know as ${name}.`
    case 'removed':
      return isRegistered
        ? `${name} takes no ${unitOf(entry.currency)} any more.`
        : `Nobody has ${entry.id} any more.`
    default:
      return error.code === 'network'
        ? 'Nobody could check whether this address still holds. Try again when you are online.'
        : `Nobody could check whether this address still holds. ${error.message}`
  }
}
