import type { State } from '../state.ts'
import { daySeconds } from '../time.ts'
import { webhookSettings } from '../webhooks/settings.ts'
import { html, inWords, money, page, rows } from './html.ts'

const shownEvents = 20
const shownPaid = 50

/** Open payments, completed payments, and the webhook settings. */
export function homePage(state: State): string {
  const open = paymentsOf(state, false)
  const paidPayments = paymentsOf(state, true).slice(0, shownPaid)
  const body = html`${open.length > 0 ? rows(open) : html`<p>No open payments.</p>`}
<h2>Paid</h2>
${paidPayments.length > 0 ? rows(paidPayments) : html`<p>No payments yet.</p>`}
<h2>Webhooks</h2>
${settingsForm(state)}
<h2>Latest events</h2>
${rows(latestEvents(state))}`
  return page('Payments', body)
}

/** Payable or paid objects, newest first. */
function paymentsOf(state: State, isPaid: boolean) {
  const sessions = state
    .all('session')
    .filter(({ session }) => session.status === (isPaid ? 'complete' : 'open'))
    .map(({ id, session }) => {
      const amount = money(session.amount_total ?? 0, session.currency ?? 'usd')
      return [
        'Session',
        html`<a href="/pay/session/${id}">${id.slice(0, 20)}…</a> ${amount}`,
      ] as const
    })
  const intents = state
    .all('intent')
    .filter(({ session, intent }) => {
      const isOpen = !['succeeded', 'canceled'].includes(intent.status)
      return !session && (isPaid ? intent.status === 'succeeded' : isOpen)
    })
    .map(({ id, intent }) => {
      const amount = `${money(intent.amount, intent.currency)}, ${inWords(intent.status)}`
      return ['Payment', html`<a href="/pay/intent/${id}">${id}</a> ${amount}`] as const
    })
  const invoices = state
    .all('invoice')
    .filter(({ status }) => (isPaid ? ['Settled'] : ['New', 'Processing']).includes(status))
    .map(({ id, amount, currency, status }) => {
      const total = `${amount} ${currency}, ${inWords(status)}`
      return ['Invoice', html`<a href="/pay/invoice/${id}">${id}</a> ${total}`] as const
    })
  return [...sessions, ...intents, ...invoices].reverse()
}

function settingsForm(state: State) {
  const { delay_ms, copies, shuffled, off } = webhookSettings(state)
  const tick = (name: string, isOn: boolean, label: string) =>
    html`<label class="tick"><input type="checkbox" name="${name}" value="yes"${isOn ? html` checked` : ''}>${label}</label>`
  return html`<form method="post" action="/settings">
<label>Delay in seconds<input name="delay_s" type="number" min="0" max="${daySeconds}" step="any" value="${delay_ms / 1_000}"></label>
<label>Deliveries of each event<input name="copies" type="number" min="1" max="10" value="${copies}"></label>
${tick('shuffled', shuffled, 'Deliver out of order')}
${tick('off', off, 'Pause webhooks')}
<button class="first">Save</button>
</form>`
}

function latestEvents(state: State) {
  return state
    .all('delivery')
    .slice(-shownEvents)
    .reverse()
    .map(({ id, provider, subject, delivered, error }) => {
      const body = state.get('message', id)?.body ?? '{}'
      const type = state.get('event', subject)?.event.type ?? String(JSON.parse(body).type)
      const status = delivered ? 'delivered' : (error ?? 'pending')
      const eventId = provider === 'card' ? subject : id
      return [
        type,
        html`${status} <form method="post" action="/events/${eventId}/deliver"><button>Resend</button></form>`,
      ] as const
    })
}
