import { refusal, refusalIn } from '../../../platform/errors.ts'

/** What a wallet signs. It names the account, so that a signature connects no other. */
export const walletMessage = (user_id: string): string =>
  `Connect this wallet to my Emoji Id Directory account ${user_id}.`

export const walletsAtMost = 20

export const connectedSentence = (eth_address: string, proven: boolean): string =>
  proven
    ? `The Ethereum address ${eth_address} is connected to your account now.`
    : `The Ethereum address ${eth_address} is connected to your account now. It was not named, so it counts as not proven.`

/**
 * A signature over nearly any text recovers to some address, so clients should name the address
 * that they expect.
 */
export function assertNamed(named: string | undefined, eth_address: string): void {
  if (named !== undefined && named.toLowerCase() !== eth_address.toLowerCase()) {
    throw otherAddress()
  }
}

/** The connected address, whatever the case of the letters. */
export function ownAddress(connected: { eth_address: string }[], named: string): string {
  const own = connected.find(({ eth_address }) => eth_address.toLowerCase() === named.toLowerCase())
  if (!own) throw unknownWallet()
  return own.eth_address
}

const unknownWallet = () =>
  refusal('not_found', 'unknown_wallet', 'No wallet with this address is connected to you.')

const otherAddress = () =>
  refusalIn(
    'eth_address',
    'refused',
    'other_address',
    'The signature is by another address, or over another text than the message.',
    'other',
  )

export const tooManyWallets = () => {
  const message = `An account has at most ${walletsAtMost} wallets.`
  return refusal('refused', 'too_many_wallets', message)
}

export const wrongSignature = () =>
  refusalIn(
    'signature',
    'refused',
    'unreadable_signature',
    'The signature cannot be read: sign the message for your account with personal_sign.',
    'wrong',
  )
