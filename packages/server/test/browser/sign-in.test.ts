import { beforeAll, describe, expect, it } from 'vitest'
import { assertAccessible, openBrowser, type TestPage } from '../support/browser.ts'
import { goInApp } from '../support/in-app.ts'
import { goodPassword, newcomer, newEmail, register } from '../support/people.ts'
import { enableApp } from '../support/second-factor.ts'
import { type Site, sharedSite } from '../support/shared-site.ts'
import { holdApp, typeAcrossTakeOver } from '../support/take-over.ts'
import { assertDarkLooks } from '../support/web-pages.ts'

const { newPage } = openBrowser()

let service: Site
beforeAll(async () => {
  service = await sharedSite()
})

const button = (page: TestPage, name: string) => page.getByRole('button', { name, exact: true })
const signOut = (page: TestPage) => button(page, 'Sign out')
async function fillIn(page: TestPage, email: string) {
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password').fill(goodPassword)
  await button(page, 'Sign in').click()
}

describe('signing in', () => {
  it('signing in works with a password from the painted form on, shows the account, continues, and ends with a sign-out', async () => {
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
    await page.getByLabel('Password').fill(goodPassword)
    await button(page, 'Sign in').click()
    await page.waitForURL(`${service.webUrl}/cart`)
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

  it('paints each form without the app, and keeps every key and the caret while the app takes over', async () => {
    const { body } = await service.get('/sign-in')
    expect(body).toMatch(/<noscript>.*This page needs scripts\..*<\/noscript>/s)
    const page = await newPage()
    const release = await holdApp(page)
    const textIn = async (place: string) =>
      (await page.locator(place).innerText()).replaceAll(/\s+/g, ' ')
    const views = ['reset', 'register']
    const paintedTexts: string[] = []
    for (const view of views) {
      await page.goto(`${service.webUrl}/sign-in?view=${view}`)
      paintedTexts.push(await textIn('#start main'))
    }
    await assertAccessible(page)
    const field = page.getByLabel('Email address')
    await field.focus()
    await page.keyboard.type('@m.example')
    await page.keyboard.press('Home')
    const typedText = await typeAcrossTakeOver(page, release)
    expect(await field.inputValue()).toBe(`${typedText}@m.example`)
    for (const [nth, view] of views.entries()) {
      await goInApp(page, `/sign-in?view=${view}`)
      await expect.poll(() => textIn('#app main')).toBe(paintedTexts[nth])
    }
  })

  it('signing in works by an emailed link once, and leaves no code in the URL', async () => {
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
    await signOut(page).click()
    await page.getByRole('navigation').getByRole('link', { name: 'Sign in' }).waitFor()
    await page.goto(usedUrl)
    await page.getByText('That link was already used or has expired.').waitFor()
    await expect.poll(() => page.url()).not.toContain('code=')
  })
})

describe('registering', () => {
  it('registering needs only an email address, marks an invalid field, and resets a forgotten password by email', async () => {
    const page = await newPage()
    const existingPerson = await newcomer(service, { password: goodPassword, isVerified: true })
    await page.goto(`${service.webUrl}/sign-in?next=/cart`)
    await page.getByRole('link', { name: 'Forgot your password?' }).click()
    await page.getByLabel('Email address').fill(existingPerson.email)
    await button(page, 'Email me a link').click()
    await page.getByText(`If ${existingPerson.email} has an account`).waitFor()
    expect(await service.linkTo(existingPerson.email)).toContain('/auth/reset_password')

    await goInApp(page, '/sign-in?view=register&next=/cart')
    await page.getByLabel('Email address').fill(existingPerson.email)
    await button(page, 'Create account').click()
    const field = page.getByLabel('Email address')
    await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true')
    const hintId = await field.getAttribute('aria-describedby')
    const hint = await page.locator(`[id="${hintId}"]`).textContent()
    expect(hint).toContain('open the link in our email if you were invited')
    const email = newEmail()
    await field.fill(email)
    await button(page, 'Create account').click()
    await page.getByTitle(email).waitFor()
    expect(await service.linkTo(email)).toContain('/auth/magic_link')
  })
})

describe('a second factor', () => {
  it('a second factor is required at sign-in until the visitor starts over', async () => {
    const page = await newPage()
    const person = await newcomer(service, { password: goodPassword, isVerified: true })
    const { app } = await enableApp(service, person)
    const step = page.getByRole('heading', { name: 'One more step' })
    await page.goto(`${service.webUrl}/sign-in?next=/cart`)
    await fillIn(page, person.email)
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
    await page.getByLabel('Code').fill(app.wrong())
    await button(page, 'Continue').click()
    await page.getByRole('alert').waitFor()
    await assertDarkLooks(page)
    await page.getByLabel('Code').fill(app.next())
    await button(page, 'Continue').click()
    await page.waitForURL(`${service.webUrl}/cart`)
    await page.getByTitle(person.email).waitFor()
  })

  it('sends its code to a phone', async () => {
    const page = await newPage()
    const person = await newcomer(service, { password: goodPassword, isVerified: true })
    const phone = '+14155550123'
    await person.post('/api/account/2fa/enable', { provider: 'SMS', phone })
    const code = await service.phones.codeTo(phone)
    await person.post('/api/account/2fa/confirm', { code })
    await page.goto(`${service.webUrl}/sign-in?next=/cart`)
    await fillIn(page, person.email)
    await button(page, 'Send a code to my phone').click()
    await page.getByText('A text message with a code is on its way.').waitFor()
    await page.getByLabel('Code').fill(await service.phones.codeTo(phone, 2))
    await button(page, 'Continue').click()
    await expect.poll(() => page.getByTitle(person.email).count()).toBe(1)
  })
})
