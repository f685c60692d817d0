type MailMessage = {
  /** Stays the same when a message is sent again. */
  id: string
  /** One plain address. */
  to: string
  subject: string
  text: string
  html: string
  /** When it was written. */
  at: Date
}

/** Resolves once somebody else is responsible for the message; throws a `DeliveryError` otherwise. */
export type MailTransport = { send(message: MailMessage): Promise<void> }
