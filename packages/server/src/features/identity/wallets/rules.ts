import { AddressError, checkAddress } from '@emojid/core'
import { refusal, refusalIn } from '../../../platform/errors.ts'
import { minuteMs } from '../../../platform/time.ts'

const walletsAtMost = 20
/** Long enough to sign on another device. */
export const challengeLastsMs = 10 * minuteMs

/**
 * The text that shipped clients have signed. It is the same for ever, and any signature recovers to
 * some address: it connects a wallet, but proves nothing.
 */
export const plainMessage = (user_id: string): string =>
  `Connect this wallet to my Emoji Id Directory account ${user_id}.`

type Challenge = {
  webUrl: string
  eth_address: string
  user_id: string
  nonce: string
  issued_at: Date
  expires_at: Date
}

/** The message of a proof (EIP-4361). A wallet compares its domain with the page that asks. */
export const challengeMessage = (challenge: Challenge): string =>
  [
    domainLine(challenge.webUrl),
    challenge.eth_address,
    '',
    `Connect this wallet to my account ${challenge.user_id}.`,
    '',
    `URI: ${challenge.webUrl}`,
    'Version: 1',
    'Chain ID: 1',
    `Nonce: ${challenge.nonce}`,
    `Issued At: ${challenge.issued_at.toISOString()}`,
    `Expiration Time: ${challenge.expires_at.toISOString()}`,
  ].join('\n')

const domainLine = (webUrl: string): string =>
  `${new URL(webUrl).host} wants you to sign in with your Ethereum account:`

/** A copy of the database at another address has our open challenges, but another domain. */
export function assertOwnDomain(message: string, webUrl: string): void {
  if (!message.startsWith(`${domainLine(webUrl)}\n`)) throw closedChallenge()
}

/** Returns the EIP-55 form. Mixed case must have a correct checksum. */
export function readAddress(text: string): string {
  try {
    return checkAddress('ETH', text).address
  } catch (error) {
    if (error instanceof AddressError) throw invalidAddress()
    throw error
  }
}

export const connectedSentence = (eth_address: string, isProven: boolean): string =>
  isProven
    ? `The Ethereum address ${eth_address} is now connected to your account.`
    : `The Ethereum address ${eth_address} is now connected to your account, but not proven.`

export const disconnectedSentence = (eth_address: string): string =>
  `The Ethereum address ${eth_address} is no longer connected to your account.`

export function assertExpectedAddress(named: string | undefined, eth_address: string): void {
  if (named !== undefined && named.toLowerCase() !== eth_address.toLowerCase()) {
    throw otherAddress()
  }
}

export function assertRoomForOne(count: number): void {
  if (count >= walletsAtMost) throw tooManyWallets()
}

/** Finds a connected address, ignoring case. */
export function ownAddress(connected: { eth_address: string }[], named: string): string {
  const own = connected.find(({ eth_address }) => eth_address.toLowerCase() === named.toLowerCase())
  if (!own) throw unknownWallet()
  return own.eth_address
}

const unknownWallet = () =>
  refusal(
    'not_found',
    'unknown_wallet',
    'No wallet with this address is connected to your account.',
  )

const invalidAddress = () =>
  refusalIn(
    'eth_address',
    'refused',
    'invalid_wallet_address',
    'This is not an Ethereum address. Check its digits and letter case.',
    'invalid',
  )

const otherAddress = () =>
  refusalIn(
    'eth_address',
    'refused',
    'other_address',
    'The signature does not match this address and message.',
    'other',
  )

export const closedChallenge = () =>
  refusalIn(
    'message',
    'refused',
    'closed_challenge',
    'This message has expired, was already used, or is for another address. Request a new one.',
    'closed',
  )

const tooManyWallets = () => {
  const message = `Your account has ${walletsAtMost} wallets, which is the maximum. Disconnect one first.`
  return refusal('refused', 'too_many_wallets', message)
}

export const unreadableSignature = () =>
  refusalIn(
    'signature',
    'refused',
    'unreadable_signature',
    'We can’t read this signature. Sign the message for your account with personal_sign.',
    'wrong',
  )
