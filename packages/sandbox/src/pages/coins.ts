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
    ['Rate is kept until', time(invoice.expirationTime)],
  ])}
<h2>Where to pay</h2>
${rows(
  prompts.map(({ paymentMethodId, due, currency, destination, paymentLink }) => [
    paymentMethodId,
    html`${due} ${currency} to ${destination ?? paymentLink}`,
  ]),
)}
<form method="post">
${choice(
  'Pay by',
  'method',
  prompts.map(({ paymentMethodId }) => [paymentMethodId, paymentMethodId] as const),
)}
${button('pay', 'Pay what is due', true)}
${button('unconfirmed', 'Pay, not yet confirmed')}
${button('part', 'Pay half')}
${button('over', 'Pay one and a half times')}
</form>
${isWaiting ? waiting : ''}
${invoice.status === 'New' ? expiring : ''}
<h2>Payments</h2>
${payments.length === 0 ? html`<p>None yet.</p>` : rows(payments.map(({ id, value, status }) => [id.slice(0, 12), `${value} · ${status}`]))}
${redirectURL ? html`<p><a href="${redirectURL}">Back to the shop</a></p>` : ''}`
  return page('Pay with cryptocurrency', body)
}

const statusOf = ({ status, additionalStatus }: StoredInvoice): string =>
  additionalStatus === 'None' ? status : `${status}, ${additionalStatus}`

const waiting: Html = html`<form method="post">
${button('confirm', 'The network confirms the payment', true)}
${button('fail', 'The network drops the payment')}
</form>`

const expiring: Html = html`<form method="post">${button('expire', 'Let the invoice expire')}</form>
<p>To pay too late, let it expire and pay then.</p>`

const paying: Html = html`<form method="post">${button('pay', 'The shop approves and pays it', true)}</form>`

export function claimPage(claim: StoredClaim): string {
  const form = html`<form method="post">
<label>Your address<input name="destination" required minlength="10" maxlength="300"></label>
<button class="first">Claim the refund</button>
</form>`
  const body = html`${rows([
    ['Amount', `${claim.amount} ${claim.currency}`],
    ['By', claim.payoutMethods.join(', ')],
    ['For', claim.description],
    ['Claimed to', claim.destination ?? 'not yet'],
    ['Paid out', claim.isPaid ? 'yes' : 'not yet'],
  ])}
${claim.destination === null ? form : claim.isPaid ? '' : paying}`
  return page(claim.name, body)
}
