import type { Locator } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { assertAccessible, openBrowser, type TestPage } from '../support/browser.ts'
import { at, newId } from '../support/ids.ts'
import { goInApp } from '../support/in-app.ts'
import {
  confirmedUser,
  goodPassword,
  newEmail,
  type Person,
  register,
  registerAs,
} from '../support/people.ts'
import { enableApp } from '../support/second-factor.ts'
import { type Site, sharedSite } from '../support/shared-site.ts'
import type { Order } from '../support/shop.ts'
import { holdApp, typeAcrossTakeOver } from '../support/take-over.ts'
import { assertGoodLooks } from '../support/web-pages.ts'

const { newPage } = openBrowser()

let service: Site
beforeAll(async () => {
  service = await sharedSite()
})

const bitcoin = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
const button = (page: TestPage, name: string) => page.getByRole('button', { name, exact: true })
const signOut = (page: TestPage) => button(page, 'Sign out')
const hasFocus = (part: Locator) => part.evaluate((node) => node === document.activeElement)
const isFocused = (page: TestPage, name: string) => hasFocus(button(page, name))

async function logIn(page: TestPage, email: string, query = '') {
  await page.goto(`${service.webUrl}/sign-in${query}`)
  await fillIn(page, email)
}

async function fillIn(page: TestPage, email: string) {
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password').fill(goodPassword)
  await button(page, 'Sign in').click()
}

/** Buys an id with cash for a user. */
async function buyFor(person: Person) {
  const [admin, id] = [await registerAs(service, 'Admin'), newId()]
  const cart = await person.post('/api/cart', { items: [{ emoji_id: id }] })
  const { id: order_id, total_in_cents: amount } = cart.json<Order>()
  const cash = { method: 'Cash', amount, external_reference: order_id }
  const paymentAnswer = await admin.post(`/api/cart/checkout/${order_id}`, cash)
  expect(paymentAnswer.json<Order>().status).toBe('Paid')
  return { id, order_id }
}

describe('signing in', () => {
  it('works with a password from the painted form on, shows the account, continues, and ends with a sign-out', async () => {
    const page = await newPage()
    const release = await holdApp(page)
    const person = await register(service)
    const { email } = person
    await page.goto(`${service.webUrl}/sign-in?next=/cart`, { waitUntil: 'domcontentloaded' })
    await page.getByLabel('Email address').fill(email)
    await page.getByLabel('Password').fill('a wrong password')
    await button(page, 'Sign in').click()
    await expect.poll(() => button(page, 'Sign in').getAttribute('aria-busy')).toBe('true')
    // The app takes over the typed values and the pressed button.
    release()
    const alert = page.getByRole('alert').getByText('The name or password is wrong.')
    await alert.waitFor()
    const topOf = async (place: typeof alert) => (await place.boundingBox())?.y ?? 0
    expect(await topOf(alert)).toBeGreaterThan(await topOf(page.getByLabel('Password')))
    expect(await topOf(alert)).toBeLessThan(await topOf(button(page, 'Sign in')))
    await assertGoodLooks(page)
    await page.getByLabel('Password').fill(goodPassword)
    await button(page, 'Sign in').click()
    await page.waitForURL(`${service.webUrl}/cart`)
    await page.getByTitle(email).waitFor()
    await page.unrouteAll()
    await page.reload()
    await page.getByTitle(email).waitFor()
    expect(await page.evaluate(() => document.cookie)).toBe('')
    const listSessions = async () =>
      (await person.get('/api/account/sessions')).json<{ kind: string }[]>().map(({ kind }) => kind)
    // The first session is that of the API registration.
    expect((await listSessions()).sort()).toEqual(['device', 'web'])
    await signOut(page).click()
    await page.getByRole('navigation').getByRole('link', { name: 'Sign in' }).waitFor()
    expect(await listSessions()).toEqual(['device'])
  })

  it('paints each form without the app, with the texts of the app, and keeps the focus of a link', async () => {
    const still = await newPage({ script: false })
    await still.goto(`${service.webUrl}/sign-in`)
    expect(await still.locator('main noscript p').innerText()).toContain('This page needs scripts.')
    expect(await still.getByText('Welcome back.').isVisible()).toBe(false)
    const page = await newPage()
    const textIn = async (place: string) =>
      (await page.locator(place).innerText()).replaceAll(/\s+/g, ' ')
    const views = ['register', 'link', 'password', 'reset']
    const paintedTexts: string[] = []
    let release = () => {}
    for (const view of views) {
      release = await holdApp(page)
      await page.goto(`${service.webUrl}/sign-in?view=${view}`)
      paintedTexts.push(await textIn('#start main'))
    }
    await assertAccessible(page)
    await page.getByLabel('Email address').fill('anna@m.example')
    await page.locator('#start main a').last().focus()
    const readFocusedText = () => page.evaluate(() => document.activeElement?.textContent)
    const focusedText = await readFocusedText()
    release()
    await page.locator('#start').waitFor({ state: 'detached' })
    expect(await readFocusedText()).toBe(focusedText)
    await page.keyboard.press('Shift+Tab')
    expect(await readFocusedText()).not.toBe(focusedText)
    expect(await page.getByLabel('Email address').inputValue()).toBe('anna@m.example')
    for (const [nth, view] of views.entries()) {
      await goInApp(page, `/sign-in?view=${view}`)
      await expect.poll(() => textIn('#app main')).toBe(paintedTexts[nth])
    }
  })

  it('keeps every key, the caret and the focus while the app takes over', async () => {
    const page = await newPage()
    const release = await holdApp(page)
    await page.goto(`${service.webUrl}/sign-in?view=register`)
    const field = page.getByLabel('Email address')
    await field.focus()
    await page.keyboard.type('@m.example')
    await page.keyboard.press('Home')
    const typedText = await typeAcrossTakeOver(page, release)
    expect(await field.inputValue()).toBe(`${typedText}@m.example`)
  })

  it('works by an emailed link once, and leaves no code in the URL', async () => {
    const page = await newPage()
    const email = newEmail()
    await register(service, { email, password: null })
    await page.goto(`${service.webUrl}/sign-in?view=link&next=/cart`)
    await page.getByLabel('Email address').fill(email)
    await button(page, 'Email me a link').click()
    await page.getByText(`If ${email} has an account`).waitFor()
    const link = await service.linkTo(email, 2)
    const urls: string[] = []
    page.on('request', (request) => {
      if (request.isNavigationRequest()) urls.push(request.url())
    })
    await page.goto(service.webUrl + link)
    await button(page, 'Sign in').click()
    await page.getByRole('button', { name: 'Continue without a password' }).click()
    await page.getByRole('heading', { name: 'Your cart' }).waitFor()
    expect(page.url()).toBe(`${service.webUrl}/cart`)
    await page.getByTitle(email).waitFor()
    expect(page.problems).toEqual([])

    const usedUrl = urls.find((url) => url.includes('code=')) ?? ''
    const other = await newPage()
    await other.goto(usedUrl)
    await other.getByText('That link was already used or has expired.').waitFor()
    await expect.poll(() => other.url()).not.toContain('code=')
  })
})

describe('registering', () => {
  it('needs only an email address, marks invalid fields, and resets a forgotten password by email', async () => {
    const page = await newPage()
    const existingPerson = await register(service)
    await page.goto(`${service.webUrl}/sign-in?next=/cart`)
    await page.getByRole('link', { name: 'Forgot your password?' }).click()
    await page.getByLabel('Email address').fill(existingPerson.email)
    await button(page, 'Email me a link').click()
    await page.getByText(`If ${existingPerson.email} has an account`).waitFor()
    expect(await service.linkTo(existingPerson.email, 2)).toContain('/auth/reset_password')

    await page.goto(`${service.webUrl}/sign-in?view=register&next=/cart`)
    await page.getByLabel('Email address').fill(existingPerson.email)
    await button(page, 'Create account').click()
    const field = page.getByLabel('Email address')
    await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true')
    const hintId = await field.getAttribute('aria-describedby')
    const hint = await page.locator(`[id="${hintId}"]`).textContent()
    expect(hint).toContain('open the link in our email if you were invited')
    const email = newEmail()
    await field.fill(email)
    await page.getByLabel('Password').fill('short')
    await button(page, 'Create account').click()
    const password = page.getByLabel('Password')
    await expect.poll(() => password.getAttribute('aria-invalid')).toBe('true')
    await password.fill('')
    await button(page, 'Create account').click()
    await page.getByTitle(email).waitFor()
    expect(await service.linkTo(email)).toContain('/auth/magic_link')
  })
})

describe('a second factor', () => {
  it('is required at sign-in until the visitor starts over, and in place for sensitive actions', async () => {
    const page = await newPage()
    const person = await confirmedUser(service, { password: goodPassword })
    const { id, order_id } = await buyFor(person)
    const { app } = await enableApp(service, person)
    const step = page.getByRole('heading', { name: 'One more step' })
    await logIn(page, person.email, '?next=/cart')
    await step.waitFor()
    await page.reload()
    await page.getByText(`You’re signing in as ${person.email}.`).waitFor()
    const storage = await page.evaluate(() =>
      JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage }]),
    )
    expect(storage).not.toMatch(/rt_|ws_|eyJ/)
    await button(page, 'Start over').click()
    await fillIn(page, person.email)
    await step.waitFor()
    const tab = await page.context().newPage()
    await tab.goto(`${service.webUrl}/sign-in`)
    await tab.getByRole('heading', { name: 'One more step' }).waitFor()
    await page.getByLabel('Code').fill(app.wrong())
    await button(page, 'Continue').click()
    await page.getByRole('alert').waitFor()
    await assertGoodLooks(page)
    await page.getByLabel('Code').fill(app.next())
    await button(page, 'Continue').click()
    await page.waitForURL(`${service.webUrl}/cart`)
    await page.getByTitle(person.email).waitFor()
    await tab.getByText(`You’re signed in as ${person.email}.`).waitFor()
    await tab.close()

    await goInApp(page, `/orders/${order_id}`)
    await page.getByRole('heading', { name: 'It’s yours' }).waitFor()
    service.clock.advance(16 * 60_000)
    await page.getByRole('textbox', { name: 'Address' }).fill(bitcoin)
    await button(page, 'Save address').click()
    const dialog = page.getByRole('dialog', { name: 'Enter your code' })
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('alert').getByText('This needs a code').waitFor()
    await expect.poll(() => isFocused(page, 'Save address')).toBe(true)
    expect((await service.get(at(id, '/BTC'))).body).not.toContain(bitcoin)

    await page.keyboard.press('Enter')
    await expect.poll(() => hasFocus(dialog.getByLabel('Code'))).toBe(true)
    await page.keyboard.type(app.wrong())
    await page.keyboard.press('Enter')
    await dialog.getByRole('alert').waitFor()
    await dialog.getByLabel('Code').fill(app.next())
    await page.keyboard.press('Enter')
    await page.getByText('Saved. Payers in').waitFor()
    await expect.poll(() => isFocused(page, 'Save address')).toBe(true)
    expect((await service.get(at(id, '/BTC'))).body).toContain(bitcoin)
  })

  it('sends its code to a phone', async () => {
    const page = await newPage()
    const person = await confirmedUser(service, { password: goodPassword })
    const phone = '+14155550123'
    await person.post('/api/account/2fa/enable', { provider: 'SMS', phone })
    const code = await service.phones.codeTo(phone)
    await person.post('/api/account/2fa/confirm', { code })
    await logIn(page, person.email, '?next=/cart')
    await button(page, 'Send a code to my phone').click()
    await page.getByText('A text message with a code is on its way.').waitFor()
    await page.getByLabel('Code').fill(await service.phones.codeTo(phone, 2))
    await button(page, 'Continue').click()
    await page.getByTitle(person.email).waitFor()
  })
})
