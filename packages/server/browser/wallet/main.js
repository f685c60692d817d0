// A wallet as others write it: the SDK, an address book, and a person who decides. It only pretends to pay.
import { createClient, parseTypedId } from '@emojid/sdk'
import { createAddressBook, webStorage } from '@emojid/sdk/address-book'
import { verifyProof } from '@emojid/sdk/verify'
import { element, emojiId, qrCode } from './elements.js'
import { currencies, sentenceFor, unitOf, warningFor } from './words.js'

const api = document.querySelector('[data-api]').dataset.api
const client = createClient({ api, verify: verifyProof })
const book = createAddressBook({ client, storage: webStorage(localStorage) })

const part = (id) => document.getElementById(id)
const [form, field, choice, amount] = ['find', 'to', 'currency', 'amount'].map(part)
const [problem, found, status] = ['problem', 'found', 'status'].map(part)

choice.append(...currencies.map(({ name }, place) => element('option', { value: place }, name)))
const wished = () => {
  const sum = amount.value.trim()
  return { ...currencies[Number(choice.value)].wish, ...(sum ? { amount: sum } : {}) }
}

function fail(error) {
  problem.textContent = sentenceFor(error)
  problem.hidden = false
  if (error.code === 'invalid_id') field.setAttribute('aria-invalid', 'true')
  field.focus()
}

function clear() {
  problem.hidden = true
  problem.textContent = ''
  field.removeAttribute('aria-invalid')
  found.replaceChildren()
  status.textContent = ''
}

/** The id in the art of the directory while somebody types: not every machine draws every emoji. */
function preview() {
  try {
    part('typed').replaceChildren(emojiId(parseTypedId(field.value)))
  } catch {
    part('typed').replaceChildren()
  }
}
field.addEventListener('input', preview)

form.addEventListener('submit', async (event) => {
  event.preventDefault()
  clear()
  try {
    const payment = await client.pay(parseTypedId(field.value), wished())
    const known = await remembered(payment)
    if (known) await payRemembered(known)
    else show(payment)
  } catch (error) {
    fail(error)
  }
})

const remembered = async ({ id, currency }) =>
  (await book.entries()).find(
    (entry) => entry.id === id && JSON.stringify(entry.currency) === JSON.stringify(currency),
  )

/** Where the money would go; nothing happens before somebody presses the button. */
function show(payment, entry) {
  const { id, address, uri, source, currency } = payment
  const heading = element('h2', { tabindex: '-1' }, 'Pay ', emojiId(id))
  const nickname = element('input', { id: 'nickname', autocomplete: 'off', maxlength: '40' })
  const remember = async () => {
    try {
      const name = nickname.value.trim()
      await book.remember(payment, name ? { nickname: name } : {})
      status.textContent = `${name || id} is in your address book.`
      await showBook()
      show(payment, await remembered(payment))
    } catch (error) {
      fail(error)
    }
  }
  const keep = element(
    'div',
    { class: 'keep' },
    element('label', { for: 'nickname' }, 'Name for your address book', nickname),
    element('button', { type: 'button', class: 'second', onclick: remember }, 'Remember'),
  )
  found.replaceChildren(
    element(
      'section',
      { class: 'panel', 'aria-labelledby': 'who' },
      Object.assign(heading, { id: 'who' }),
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
      element(
        'button',
        { type: 'button', onclick: () => settle(payment, entry) },
        `Pay ${[amount.value.trim(), unitOf(currency)].filter(Boolean).join(' ')}`,
      ),
      entry ? undefined : keep,
    ),
  )
  heading.focus()
}

/** The last question before money moves: is this still the address that was shown? */
async function settle(payment, entry) {
  try {
    if (entry) {
      const check = await book.check(entry, wishedAmount())
      if (check.status !== 'unchanged') return warn(check)
    } else {
      const now = await client.pay(payment.id, { ...payment.currency, ...wishedAmount() })
      if (now.address !== payment.address) {
        show(now)
        status.textContent = `${payment.id} changed its address just now. Look before you pay.`
        return
      }
    }
    paid(payment)
  } catch (error) {
    fail(error)
  }
}

const wishedAmount = () => {
  const sum = amount.value.trim()
  return sum ? { amount: sum } : {}
}

async function payRemembered(entry) {
  clear()
  try {
    const check = await book.check(entry, wishedAmount())
    if (check.status === 'unchanged') show(check.payment, entry)
    else warn(check)
  } catch (error) {
    fail(error)
  }
}

function warn(check) {
  const { entry, payment } = check
  const heading = element('h2', { tabindex: '-1', id: 'warning' }, 'Stop: nothing was paid')
  const accept = async () => {
    const next = await book.accept(check)
    await showBook()
    show(payment, next)
  }
  found.replaceChildren(
    element(
      'section',
      { class: 'panel warning', role: 'alert', 'aria-labelledby': 'warning' },
      heading,
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
      element('button', { type: 'button', onclick: clear }, 'Do not pay'),
    ),
  )
  heading.focus()
}

function paid({ id, address, currency }) {
  const sum = [amount.value.trim(), unitOf(currency)].filter(Boolean).join(' ')
  found.replaceChildren()
  status.textContent = `Paid ${sum} in play money to ${id}.`
  part('no-payments')?.remove()
  part('payments').prepend(
    element('li', {}, emojiId(id), element('span', {}, sum), element('code', {}, address)),
  )
}

async function showBook() {
  const entries = await book.entries()
  const rows = entries.map((entry) => {
    const name = entry.nickname ?? entry.id
    const forget = async () => {
      await book.forget(entry)
      status.textContent = `${name} is forgotten.`
      await showBook()
    }
    const label = (verb) => `${verb} ${name}, ${unitOf(entry.currency)}`
    const [pay, drop] = ['Pay', 'Forget'].map((verb) => ({
      type: 'button',
      'aria-label': label(verb),
    }))
    const who = element('span', {}, element('strong', {}, name), ` ${unitOf(entry.currency)}`)
    return element(
      'li',
      {},
      ...[emojiId(entry.id), who],
      element('button', { ...pay, class: 'second', onclick: () => payAgain(entry) }, 'Pay'),
      element('button', { ...drop, class: 'plain', onclick: forget }, 'Forget'),
      element('code', {}, entry.address),
    )
  })
  part('book').replaceChildren(...rows)
  part('no-entries').hidden = rows.length > 0
}

function payAgain(entry) {
  field.value = entry.id
  preview()
  const place = currencies.findIndex(
    ({ wish }) => JSON.stringify(wish) === JSON.stringify(entry.currency),
  )
  choice.value = String(Math.max(0, place))
  return payRemembered(entry)
}

await showBook()
