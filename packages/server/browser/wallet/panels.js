// The views of the wallet; main.js decides what they do.
import { element, emojiId, qrCode } from './elements.js'
import { sumOf, unitOf, warningFor } from './words.js'

/** Shows this payment only, independent of the current fields. */
export function paymentPanel(payment, { entry, pay, remember }) {
  const { id, address, uri, source, currency } = payment
  const payButton = element('button', { type: 'button', onclick: () => pay(payButton) })
  payButton.textContent = `Pay ${sumOf(payment)}`
  return element(
    'section',
    { class: 'panel', 'aria-labelledby': 'who' },
    element('h2', { tabindex: '-1', id: 'who' }, 'Pay ', emojiId(id)),
    entry ? element('p', { class: 'good' }, 'The same address as the saved one.') : undefined,
    element('p', { class: 'address' }, element('code', {}, address)),
    source === 'network_record'
      ? element(
          'p',
          { class: 'quiet' },
          'The owner’s address on this network. There is no separate address for this token.',
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
    element('p', {}, 'Saved address: ', element('code', {}, entry.address)),
    payment ? element('p', {}, 'New address: ', element('code', {}, payment.address)) : undefined,
    payment
      ? element(
          'button',
          { type: 'button', class: 'second', onclick: accept },
          'I checked with the recipient: use the new address',
        )
      : undefined,
    element('button', { type: 'button', onclick: stop }, 'Don’t pay'),
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

export function bookRow(entry, { pay, forget, check }) {
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
    check ? element('p', { class: 'wrong', role: 'alert' }, warningFor(check)) : undefined,
  )
}
