// What the wallet shows; what it does about it is decided in main.js.
import { element, emojiId, qrCode } from './elements.js'
import { sumOf, unitOf, warningFor } from './words.js'

/** Everything in it is about this payment alone, whatever stands in the fields by now. */
export function paymentPanel(payment, { entry, pay, remember }) {
  const { id, address, uri, source, currency } = payment
  const payButton = element('button', { type: 'button', onclick: () => pay(payButton) })
  payButton.textContent = `Pay ${sumOf(payment)}`
  return element(
    'section',
    { class: 'panel', 'aria-labelledby': 'who' },
    element('h2', { tabindex: '-1', id: 'who' }, 'Pay ', emojiId(id)),
    entry ? element('p', { class: 'good' }, 'The same address as you remembered.') : undefined,
    element('p', { class: 'address' }, element('code', {}, address)),
    source === 'network_record'
      ? element(
          'p',
          { class: 'quiet' },
          'Their address on this network; they gave none for the token alone.',
        )
      : undefined,
    qrCode(uri ?? address, `Code to scan: ${unitOf(currency)} address of ${id}`),
    uri ? element('p', {}, element('a', { href: uri }, 'Open in another wallet')) : undefined,
    payButton,
    entry ? undefined : keeping(remember),
  )
}

function keeping(remember) {
  const nickname = element('input', { id: 'nickname', autocomplete: 'off', maxlength: '40' })
  const keep = () => remember(nickname.value.trim())
  return element(
    'div',
    { class: 'keep' },
    element('label', { for: 'nickname' }, 'Name for your address book', nickname),
    element('button', { type: 'button', class: 'second', onclick: keep }, 'Remember'),
  )
}

export function warningPanel(check, { accept, stop }) {
  const { entry, payment } = check
  return element(
    'section',
    { class: 'panel warning', role: 'alert', 'aria-labelledby': 'warning' },
    element('h2', { tabindex: '-1', id: 'warning' }, 'Stop: nothing was paid'),
    element('p', {}, warningFor(check)),
    element('p', {}, 'You remembered ', element('code', {}, entry.address)),
    payment ? element('p', {}, 'Now it is ', element('code', {}, payment.address)) : undefined,
    payment
      ? element(
          'button',
          { type: 'button', class: 'second', onclick: accept },
          'I asked them: use the new address',
        )
      : undefined,
    element('button', { type: 'button', onclick: stop }, 'Do not pay'),
  )
}

export const paidRow = (payment) =>
  element(
    'li',
    {},
    emojiId(payment.id),
    element('span', {}, sumOf(payment)),
    element('code', {}, payment.address),
  )

export function bookRow(entry, { pay, forget }) {
  const name = entry.nickname ?? entry.id
  const labelled = (verb) => ({
    type: 'button',
    'aria-label': `${verb} ${name}, ${unitOf(entry.currency)}`,
  })
  const who = element('span', {}, element('strong', {}, name), ` ${unitOf(entry.currency)}`)
  return element(
    'li',
    {},
    ...[emojiId(entry.id), who],
    element('button', { ...labelled('Pay'), class: 'second', onclick: () => pay(entry) }, 'Pay'),
    element(
      'button',
      { ...labelled('Forget'), class: 'plain', onclick: () => forget(entry) },
      'Forget',
    ),
    element('code', {}, entry.address),
  )
}
