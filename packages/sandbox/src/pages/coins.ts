import { paymentsOf, viewPrompts } from '../crypto/invoices.ts'
import type { StoredClaim, StoredInvoice } from '../crypto/objects.ts'
import { button, choice, type Html, html, inWords, page, rows, time } from './html.ts'

export function invoicePage(invoice: StoredInvoice): string {
  const prompts = viewPrompts(invoice, false)
  const payments = paymentsOf(invoice)
  const isWaiting = payments.some(({ status }) => status === 'Processing')
  const { redirectURL } = invoice.checkout
  const body = html`${rows([
    ['Amount', `${invoice.amount} ${invoice.currency}`],
    ['For', String(invoice.metadata['itemDesc'] ?? '')],
    ['Status', inWords(statusOf(invoice))],
    ['Rate valid until', time(invoice.expirationTime)],
  ])}
<h2>Payment addresses</h2>
${rows(
  prompts.map(({ paymentMethodId, due, currency, destination, paymentLink }) => [
    paymentMethodId,
    html`${due} ${currency} to ${destination ?? paymentLink}`,
  ]),
)}
<form method="post">
${choice(
  'Payment method',
  'method',
  prompts.map(({ paymentMethodId }) => [paymentMethodId, paymentMethodId] as const),
)}
${button('pay', 'Pay the full amount', true)}
${button('unconfirmed', 'Pay without confirmation')}
${button('part', 'Pay half')}
${button('over', 'Pay 150%')}
</form>
${isWaiting ? waitingPage : ''}
${invoice.status === 'New' ? expiring : ''}
<h2>Payments</h2>
${payments.length === 0 ? html`<p>No payments yet.</p>` : rows(payments.map(({ id, value, status }) => [id.slice(0, 12), `${value} · ${status}`]))}
${redirectURL ? html`<p><a href="${redirectURL}">Back to the shop</a></p>` : ''}`
  return page('Pay with cryptocurrency', body)
}

const statusOf = ({ status, additionalStatus }: StoredInvoice): string =>
  additionalStatus === 'None' ? status : `${status}, ${additionalStatus}`

const waitingPage: Html = html`<form method="post">
${button('confirm', 'Confirm the payment', true)}
${button('fail', 'Drop the payment')}
</form>`

const expiring: Html = html`<form method="post">${button('expire', 'Expire the invoice')}</form>
<p>To test a late payment, expire the invoice, then pay it.</p>`

const paying: Html = html`<form method="post">${button('pay', 'Approve and pay out', true)}</form>`

export function claimPage(claim: StoredClaim): string {
  const form = html`<form method="post">
<label>Your address<input name="destination" required minlength="10" maxlength="300"></label>
<button class="first">Claim the refund</button>
</form>`
  const body = html`${rows([
    ['Amount', `${claim.amount} ${claim.currency}`],
    ['Method', claim.payoutMethods.join(', ')],
    ['For', claim.description],
    ['Address', claim.destination ?? 'not yet'],
    ['Paid out', claim.isPaid ? 'yes' : 'not yet'],
  ])}
${claim.destination === null ? form : claim.isPaid ? '' : paying}`
  return page(claim.name, body)
}
