import { inField, ServiceError } from '../../platform/errors.ts'

/** What a wallet signs. It names the account, so that a signature connects no other. */
export const walletMessage = (user_id: string): string =>
  `Connect this wallet to my Emoji Id Directory account ${user_id}.`

export class WrongSignatureError extends ServiceError {
  override readonly name = 'Wallets.WrongSignatureError'
  constructor() {
    const message =
      'The signature cannot be read: sign the message for your account with personal_sign.'
    super('refused', 'wrong_signature', message, inField('signature', 'wrong', message))
  }
}
