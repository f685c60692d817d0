type MailMessage = {
  /** Stable across retries of a message. */
  id: string
  /** One plain address. */
  to: string
  subject: string
  text: string
  html: string
  at: Date
}

/**
 * Resolves once the mail server is responsible for the message; throws a `DeliveryError` otherwise.
 */
export type MailTransport = { send(message: MailMessage): Promise<void> }
