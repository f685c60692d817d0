type SmsMessage = {
  id: string
  /** A phone number with plus sign and country. */
  to: string
  text: string
  at: Date
}

/**
 * Resolves once the provider is responsible for the message; throws a `DeliveryError` otherwise.
 */
export type SmsTransport = { send(message: SmsMessage): Promise<void> }
