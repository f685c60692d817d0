// A third-party wallet: the SDK, an address book, and a person who decides. It only simulates
// payments.
import { createClient, NetworkError, parseTypedId } from '@emojid/sdk'
import { AlreadyRememberedError, createAddressBook, webStorage } from '@emojid/sdk/address-book'
import { verifyProof } from '@emojid/sdk/verify'
import { element, emojiId } from './elements.js'
import { bookRow, paidRow, paymentPanel, warningPanel } from './panels.js'
import { currencies, sentenceFor, sumOf } from './words.js'

const api = document.querySelector('[data-api]').dataset.api
const client = createClient({ api, verify: verifyProof })
const book = createAddressBook({ client, storage: webStorage(localStorage) })

const part = (id) => document.getElementById(id)
const [form, field, choice, amount] = ['find', 'to', 'currency', 'amount'].map(part)
const [problem, found, status] = ['problem', 'found', 'status'].map(part)

choice.append(...currencies.map(({ name }, place) => element('option', { value: place }, name)))

/** The payment that the page offers; undefined while it offers none. */
let shownPayment

/** The current request; a newer one aborts it, so that no late response is shown. */
let underWay = new AbortController()

function begin() {
  underWay.abort()
  underWay = new AbortController()
  problem.hidden = true
  problem.textContent = ''
  field.removeAttribute('aria-invalid')
  found.replaceChildren()
  shownPayment = undefined
  status.textContent = ''
  return underWay.signal
}

/** Shows the result of the work unless a newer request aborted it. */
async function attempt(signal, work) {
  try {
    await work()
  } catch (error) {
    if (signal.aborted) return
    problem.textContent = sentenceFor(error)
    problem.hidden = false
    if (error.code === 'invalid_id') field.setAttribute('aria-invalid', 'true')
    field.focus()
  }
}

/** The typed id as art of the directory: not every machine draws every emoji. */
function preview() {
  try {
    part('typed').replaceChildren(emojiId(parseTypedId(field.value)))
  } catch {
    part('typed').replaceChildren()
  }
}
field.addEventListener('input', preview)
// A change in the fields hides the outdated result.
for (const input of [field, choice, amount]) input.addEventListener('input', begin)

const typedAmount = () => {
  const sum = amount.value.trim()
  return sum ? { amount: sum } : {}
}

form.addEventListener('submit', (event) => {
  event.preventDefault()
  const signal = begin()
  const { wish } = currencies[Number(choice.value)]
  return attempt(signal, async () => {
    const id = parseTypedId(field.value)
    const extra = typedAmount()
    const known = await remembered({ id, currency: wish })
    if (known) return checkEntry(known, extra, signal)
    const payment = await client.pay(id, { ...wish, ...extra, signal })
    if (!signal.aborted) show(payment, undefined, signal)
  })
})

const remembered = async ({ id, currency }) =>
  (await book.entries()).find(
    (entry) => entry.id === id && JSON.stringify(entry.currency) === JSON.stringify(currency),
  )

/** A saved contact is paid only if the address book reports no change. */
async function checkEntry(entry, extra, signal) {
  const check = await book.check(entry, { ...extra, signal })
  if (signal.aborted) return
  if (check.status === 'unchanged') show(check.payment, entry, signal)
  else warn(check, signal)
}

/** Shows the recipient and the amount; only the button pays. */
function show(payment, entry, signal) {
  let isSettling = false
  const panel = paymentPanel(payment, {
    entry,
    pay: async (button) => {
      if (isSettling || signal.aborted) return
      isSettling = true
      button.disabled = true
      await attempt(signal, () => settle(payment, entry, signal))
      isSettling = false
      button.disabled = false
    },
    remember: (nickname) =>
      attempt(signal, async () => {
        try {
          await book.remember(payment, { ...(nickname ? { nickname } : {}), signal })
        } catch (error) {
          if (!(error instanceof AlreadyRememberedError)) throw error
          return checkEntry(error.entry, amountOf(payment), signal)
        }
        await showBook()
        const known = await remembered(payment)
        if (signal.aborted) return
        status.textContent = `${nickname || payment.id} is in your address book.`
        show(payment, known, signal)
      }),
  })
  found.replaceChildren(panel)
  shownPayment = payment
  panel.querySelector('h2').focus()
  watchShown(payment, entry, signal)
}

let watchingShown

/** Follows an id that is shown and not saved. The address book follows the saved ones. */
function watchShown(payment, entry, signal) {
  watchingShown?.close()
  watchingShown = undefined
  if (entry) return
  const withdrawIfChanged = () => recheckShown(payment, signal)
  // A failed watch is no problem here: the wallet checks the address before it pays.
  watchingShown = client.watch([payment.id], withdrawIfChanged, { signal, onError: () => {} })
}

/** Withdraws an outdated offer. A new one in its place could be paid by a press meant for the old. */
async function recheckShown(payment, signal) {
  const extra = amountOf(payment)
  const now = await client
    .pay(payment.id, { ...payment.currency, ...extra, signal })
    .catch((error) => error)
  if (shownPayment !== payment || signal.aborted) return
  if (now.address === payment.address || now instanceof NetworkError) return
  begin()
  status.textContent = `The address of ${payment.id} just changed. Look it up again.`
}

const amountOf = (payment) => (payment.amount ? { amount: payment.amount } : {})

/** Checks once more, before the payment, that the address is unchanged. */
async function settle(payment, entry, signal) {
  const extra = amountOf(payment)
  if (entry) {
    const check = await book.check(entry, { ...extra, signal })
    if (signal.aborted) return
    if (check.status !== 'unchanged') return warn(check, signal)
  } else {
    const now = await client.pay(payment.id, { ...payment.currency, ...extra, signal })
    if (signal.aborted) return
    if (now.address !== payment.address) {
      show(now, undefined, signal)
      status.textContent = `The address of ${payment.id} just changed. Check it before you pay.`
      return
    }
  }
  begin()
  status.textContent = `Paid ${sumOf(payment)} in play money to ${payment.id}.`
  part('no-payments')?.remove()
  part('payments').prepend(paidRow(payment))
}

function warn(check, signal) {
  shownPayment = undefined
  const panel = warningPanel(check, {
    accept: () =>
      attempt(signal, async () => {
        const next = await book.accept(check)
        changed.delete(keyOf(next))
        await showBook()
        if (!signal.aborted) show(check.payment, next, signal)
      }),
    stop: begin,
  })
  found.replaceChildren(panel)
  panel.querySelector('h2').focus()
}

/** Entries whose address changed while the page is open, with the check that found it. */
const changed = new Map()
const keyOf = ({ id, currency }) => `${id} ${JSON.stringify(currency)}`
let watching
/** The limit of the SDK. Other contacts are checked before a payment. */
const watchedAtMost = 1_000
const watchAgainMs = 60_000

/** Follows the saved ids, so that a change shows before the next payment. */
function watchBook(entries) {
  const ids = [...new Set(entries.map(({ id }) => id))].slice(0, watchedAtMost)
  const list = ids.join()
  if (watching?.list === list) return
  watching?.close()
  watching = undefined
  if (ids.length === 0) {
    part('unwatched').hidden = true
    return
  }
  const current = { list, ...client.watch(ids, ({ id }) => recheck(id)) }
  watching = current
  const whileCurrent = (work) => () => {
    if (watching === current) return work()
  }
  const hideProblem = whileCurrent(() => {
    part('unwatched').hidden = true
  })
  // `closed` rejects too, and says why.
  current.ready.then(hideProblem, () => {})
  current.closed.catch(
    whileCurrent(() => {
      part('unwatched').hidden = false
      const watchAgain = whileCurrent(() => {
        watching = undefined
        return showBook()
      })
      setTimeout(watchAgain, watchAgainMs)
    }),
  )
}

/** Compares the saved addresses of an id with the current ones. */
async function recheck(id) {
  const entries = (await book.entries()).filter((entry) => entry.id === id)
  for (const entry of entries) {
    const isShown = shownPayment && keyOf(shownPayment) === keyOf(entry)
    const check = await book.check(entry, isShown ? amountOf(shownPayment) : {})
    if (check.status === 'unchanged') changed.delete(keyOf(entry))
    // Without a response nothing is known yet; the check before a payment tells.
    else if (check.status !== 'unchecked') changed.set(keyOf(entry), check)
  }
  await showBook()
  const shown = shownPayment && changed.get(keyOf(shownPayment))
  if (shown) warn(shown, underWay.signal)
}

async function showBook() {
  const entries = await book.entries()
  const rows = entries.map((entry) =>
    bookRow(entry, { pay: payAgain, forget, check: changed.get(keyOf(entry)) }),
  )
  part('book').replaceChildren(...rows)
  part('no-entries').hidden = entries.length > 0
  watchBook(entries)
}

async function forget(entry) {
  begin()
  await book.forget(entry)
  changed.delete(keyOf(entry))
  status.textContent = `${entry.nickname ?? entry.id} was removed.`
  await showBook()
}

function payAgain(entry) {
  field.value = entry.id
  preview()
  const place = currencies.findIndex(
    ({ wish }) => JSON.stringify(wish) === JSON.stringify(entry.currency),
  )
  choice.value = String(Math.max(0, place))
  const signal = begin()
  return attempt(signal, () => checkEntry(entry, typedAmount(), signal))
}

await showBook()
