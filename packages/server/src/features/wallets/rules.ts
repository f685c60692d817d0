import { inField, ServiceError } from '../../platform/errors.ts'

/** What a wallet signs. It names the account, so that a signature connects no other. */
export const walletMessage = (user_id: string): string =>
  `Connect this wallet to my Emoji Id Directory account ${user_id}.`

export const walletsAtMost = 20

export const connectedSentence = (eth_address: string, proven: boolean): string =>
  proven
    ? `The Ethereum address ${eth_address} is connected to your account now.`
    : `The Ethereum address ${eth_address} is connected to your account now. It was not named, so it counts as not proven.`

/** Recovering finds an address for nearly any text that was signed: whoever names theirs is safe. */
export function assertNamed(named: string | undefined, eth_address: string): void {
  if (named !== undefined && named.toLowerCase() !== eth_address.toLowerCase()) {
    throw new OtherAddressError()
  }
}

/** As it was connected, however its letters are written now. */
export function ownAddress(connected: { eth_address: string }[], named: string): string {
  const own = connected.find(({ eth_address }) => eth_address.toLowerCase() === named.toLowerCase())
  if (!own) throw new UnknownWalletError()
  return own.eth_address
}

class UnknownWalletError extends ServiceError {
  override readonly name = 'Wallets.UnknownWalletError'
  constructor() {
    super('not_found', 'unknown_wallet', 'No wallet with this address is connected to you.')
  }
}

class OtherAddressError extends ServiceError {
  override readonly name = 'Wallets.OtherAddressError'
  constructor() {
    const message = 'The signature is by another address, or over another text than the message.'
    super('refused', 'other_address', message, inField('eth_address', 'other', message))
  }
}

export class TooManyWalletsError extends ServiceError {
  override readonly name = 'Wallets.TooManyWalletsError'
  constructor() {
    const message = `An account has at most ${walletsAtMost} wallets.`
    super('refused', 'too_many_wallets', message)
  }
}

export class WrongSignatureError extends ServiceError {
  override readonly name = 'Wallets.WrongSignatureError'
  constructor() {
    const message =
      'The signature cannot be read: sign the message for your account with personal_sign.'
    super('refused', 'wrong_signature', message, inField('signature', 'wrong', message))
  }
}
