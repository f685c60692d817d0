import type Stripe from 'stripe'
import { isOpenDispute } from '../card/disputes.ts'
import type { StoredIntent, StoredSession } from '../card/objects.ts'
import { testCards } from '../card/test-cards.ts'
import { button, choice, type Html, html, inWords, money, page, rows, time } from './html.ts'

const cards = Object.entries(testCards).map(([name, { title }]) => [name, title] as const)

const payForm = (canSave: boolean): Html => html`<form method="post">
${choice('Card', 'card', cards)}
${
  canSave
    ? html`<label class="tick"><input type="checkbox" name="keep_card" value="yes">Save this card</label>`
    : ''
}
${button('pay', 'Pay', true)}
${button('slow', 'Pay with a delayed settlement')}
${button('challenge', 'Pay with bank confirmation')}
${button('decline', 'Decline the payment')}
</form>`

const waitForm = (question: string): Html => html`<p>${question}</p>
<form method="post">${button('yes', 'Yes', true)}${button('no', 'No')}</form>`

const fault = (intent: Stripe.PaymentIntent | undefined): Html | undefined => {
  const message = intent?.last_payment_error?.message
  return message ? html`<p class="wrong">${message}</p>` : undefined
}

const question = (intent: Stripe.PaymentIntent | undefined): Html | undefined => {
  if (intent?.status === 'requires_action')
    return waitForm('Your bank asks you to confirm this payment. Confirm it?')
  if (intent?.status === 'processing')
    return waitForm('The payment is processing. Does it succeed?')
  return undefined
}

/** Actions of the cardholder and their bank after the payment. */
const disputeForm = (
  intent: Stripe.PaymentIntent | undefined,
  [dispute]: readonly Stripe.Dispute[],
): Html | undefined => {
  if (!intent || intent.amount_received === 0) return undefined
  const isOpen = dispute && isOpenDispute(dispute)
  const state = dispute ? rows([['Dispute', inWords(dispute.status)]]) : undefined
  if (!isOpen) {
    const ask = html`${button('dispute', 'Dispute this payment')}${button('inquire', 'Open an inquiry')}`
    return html`${state}<form method="post">${ask}</form>`
  }
  const acts = dispute.status.startsWith('warning_')
    ? html`${button('warning_closed', 'Close the inquiry')}${button('escalate', 'Turn it into a dispute')}`
    : html`${button('won', 'Decide for the shop')}${button('lost', 'Decide for the buyer')}`
  return html`${state}<form method="post">${acts}</form>`
}

export function sessionPage(
  storedSession: StoredSession,
  intent: Stripe.PaymentIntent | undefined,
  disputes: readonly Stripe.Dispute[],
): string {
  const { session, line_items } = storedSession
  const isOpen = session.status === 'open'
  const canSave = session.saved_payment_method_options?.payment_method_save === 'enabled'
  const items = line_items.map(
    ({ description, quantity, amount_total, currency }) =>
      html`<tr><td>${description ?? ''}</td><td>${quantity ?? 1} ×</td><td>${money(amount_total, currency)}</td></tr>`,
  )
  const body = html`<table>${items}</table>
${rows([
  ['Total', money(session.amount_total ?? 0, session.currency ?? 'usd')],
  ['Status', inWords(`${session.status}, ${session.payment_status}`)],
  ['Link expires', time(session.expires_at)],
])}
${fault(intent)}
${question(intent) ?? (isOpen ? payForm(canSave) : undefined)}
${
  session.cancel_url && session.status !== 'complete'
    ? html`<p><a href="${session.cancel_url}">${isOpen ? 'Cancel and go back' : 'Back to the shop'}</a></p>`
    : ''
}
${session.status === 'complete' ? html`<p><a href="${successUrl(session)}">Continue</a></p>` : ''}
${disputeForm(intent, disputes)}`
  return page('Pay by card', body)
}

export const successUrl = (session: Stripe.Checkout.Session): string =>
  (session.success_url ?? '/').replaceAll('{CHECKOUT_SESSION_ID}', session.id)

/** The return address after the bank's challenge. */
export const returnUrl = (intent: Stripe.PaymentIntent): string | null =>
  intent.next_action?.redirect_to_url?.return_url ?? null

export function intentPage(
  { intent, session }: StoredIntent,
  disputes: readonly Stripe.Dispute[],
): string {
  const isPayable = ['requires_payment_method', 'requires_confirmation'].includes(intent.status)
  const form = isPayable ? payForm(false) : undefined
  const link = html`<p><a href="/pay/session/${session ?? ''}">Open its session</a></p>`
  const body = html`${rows([
    ['Amount', money(intent.amount, intent.currency)],
    ['For', intent.description ?? ''],
    ['Status', inWords(intent.status)],
    ['Received', money(intent.amount_received, intent.currency)],
    ['Saves card', intent.setup_future_usage && intent.customer ? 'yes' : 'no'],
  ])}
${fault(intent)}
${session ? link : (question(intent) ?? form)}
${session ? undefined : disputeForm(intent, disputes)}`
  return page('Pay by card', body)
}
