import { refusal, refusalIn } from '../../../platform/errors.ts'

/** The message that a wallet signs. It names the account, which prevents replay for another account. */
export const walletMessage = (user_id: string): string =>
  `Connect this wallet to my Emoji Id Directory account ${user_id}.`

export const walletsAtMost = 20

export const connectedSentence = (eth_address: string, isProven: boolean): string =>
  isProven
    ? `The Ethereum address ${eth_address} is now connected to your account.`
    : `The Ethereum address ${eth_address} is now connected to your account, but not proven.`

/** Any signature recovers to some address, so clients should send the address they expect. */
export function assertExpectedAddress(named: string | undefined, eth_address: string): void {
  if (named !== undefined && named.toLowerCase() !== eth_address.toLowerCase()) {
    throw otherAddress()
  }
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

const otherAddress = () =>
  refusalIn(
    'eth_address',
    'refused',
    'other_address',
    'The signature does not match this address and message.',
    'other',
  )

export const tooManyWallets = () => {
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
