/** A test card. None of these numbers is real. */
export type TestCard = {
  title: string
  brand: 'visa' | 'mastercard' | 'amex'
  last4: string
  country: string
  funding: 'credit' | 'debit'
  wallet: 'apple_pay' | 'google_pay' | null
}

export const testCards = {
  visa: card('Visa 4242', 'visa', '4242', 'US', 'credit'),
  mastercard: card('Mastercard 4444', 'mastercard', '4444', 'US', 'credit'),
  amex: card('American Express 8431', 'amex', '8431', 'US', 'credit'),
  visa_debit: card('Visa debit 5556, from Germany', 'visa', '5556', 'DE', 'debit'),
  visa_declined_later: card('Visa 0341, declined when it is used again', 'visa', '0341'),
  visa_asked_later: card(
    'Visa 3184, confirmed with the bank when it is used again',
    'visa',
    '3184',
  ),
  apple_pay: card('Apple Pay', 'visa', '4242', 'US', 'credit', 'apple_pay'),
  google_pay: card('Google Pay', 'mastercard', '4444', 'US', 'credit', 'google_pay'),
} satisfies Record<string, TestCard>

export type TestCardName = keyof typeof testCards

export const outcomes = ['succeeded', 'processing', 'requires_action'] as const
/** The outcome of an attempt, if the card is not declined. */
export type Outcome = (typeof outcomes)[number]

export const declines = {
  generic_decline: ['card_declined', 'Your card was declined.'],
  insufficient_funds: ['card_declined', 'Your card has insufficient funds.'],
  expired_card: ['expired_card', 'Your card has expired.'],
} as const satisfies Record<string, readonly [code: string, message: string]>

export type Decline = keyof typeof declines

type Token = { card: TestCardName; outcome: Outcome } | { card: TestCardName; decline: Decline }

/** Stripe's payment methods for tests. */
export const tokens: Readonly<Record<string, Token>> = {
  pm_card_visa: { card: 'visa', outcome: 'succeeded' },
  pm_card_mastercard: { card: 'mastercard', outcome: 'succeeded' },
  pm_card_amex: { card: 'amex', outcome: 'succeeded' },
  pm_card_authenticationRequired: { card: 'visa', outcome: 'requires_action' },
  pm_card_visa_chargeDeclined: { card: 'visa', decline: 'generic_decline' },
  pm_card_chargeDeclinedInsufficientFunds: { card: 'visa', decline: 'insufficient_funds' },
  pm_card_chargeDeclinedExpiredCard: { card: 'visa', decline: 'expired_card' },
}

/** The outcome of charging a saved card again, by its last digits. */
const later: Readonly<Record<string, Token>> = {
  '0341': { card: 'visa_declined_later', decline: 'generic_decline' },
  '3184': { card: 'visa_asked_later', outcome: 'requires_action' },
}
export const chargedLater = (last4: string | undefined): Token =>
  later[last4 ?? ''] ?? { card: 'visa', outcome: 'succeeded' }

function card(
  title: string,
  brand: TestCard['brand'],
  last4: string,
  country = 'US',
  funding: TestCard['funding'] = 'credit',
  wallet: TestCard['wallet'] = null,
): TestCard {
  return { title, brand, last4, country, funding, wallet }
}
