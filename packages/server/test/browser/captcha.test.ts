import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser, type TestPage } from '../support/browser.ts'
import { goInApp } from '../support/in-app.ts'
import { goodPassword, type MailedService, mailedService, newEmail } from '../support/people.ts'
import { recaptchaServer } from '../support/recaptcha.ts'
import { assertDarkLooks } from '../support/web-pages.ts'

const { newPage } = openBrowser()

let captcha: Awaited<ReturnType<typeof recaptchaServer>>
let service: MailedService
beforeAll(async () => {
  captcha = await recaptchaServer()
  service = await mailedService({ reachable: true, env: captcha.env })
})
afterAll(async () => {
  await service?.close()
  await captcha?.close()
})

const button = (page: TestPage, name: string) => page.getByRole('button', { name, exact: true })
const alert = (page: TestPage, text: string) => page.getByRole('alert').getByText(text)
const box = (page: TestPage) =>
  page.frameLocator('iframe[title=reCAPTCHA]').getByLabel('I am a person')
/** The page gets the solution a moment after the tick. */
const untilSolved = (page: TestPage) => page.locator('iframe[data-solved=yes]').waitFor()
const isScriptAsked = (page: TestPage) =>
  page.evaluate(() => document.querySelector('script[src*="/recaptcha/"]') !== null)

const fillIn = async (page: TestPage, email: string) => {
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password').fill(goodPassword)
}
/** The email address and password of an account registered with the API. */
async function registerPerson() {
  const email = newEmail()
  const body = { email, password: goodPassword, g_recaptcha_response: captcha.solve() }
  expect((await service.post('/api/users', body)).status).toBe(200)
  return email
}

describe('with a captcha', () => {
  it('a form loads it, and asks for another solution when one expires', async () => {
    const page = await newPage()
    await page.goto(`${service.webUrl}/cart`)
    const link = page.getByRole('navigation').getByRole('link', { name: 'Sign in' })
    await link.waitFor()
    expect(await isScriptAsked(page)).toBe(false)
    await link.click()
    const group = page.getByRole('group', { name: 'Confirm that you’re human' })
    await group.waitFor()
    await box(page).waitFor()
    expect(await isScriptAsked(page)).toBe(true)
    await assertDarkLooks(page)
    const { sitekey } = JSON.parse(
      (await page.locator('iframe[title=reCAPTCHA]').getAttribute('data-options')) ?? '',
    )
    expect(sitekey).toBe('the-key-of-this-site')
    expect(page.problems).toEqual([])

    await fillIn(page, await registerPerson())
    await box(page).check()
    await untilSolved(page)
    // The tick comes from another process and cannot expire before it arrives.
    await page.locator('iframe[data-solved]').dispatchEvent('expire')
    await alert(page, 'has expired').waitFor()
    await button(page, 'Sign in').click()
    await alert(page, 'Solve the check above the button first').waitFor()

    // Another request used the next solution already.
    captcha.refuse(true)
    await box(page).check()
    await untilSolved(page)
    await alert(page, 'has expired').waitFor({ state: 'detached' })
    await button(page, 'Sign in').click()
    await alert(page, 'The check wasn’t accepted').waitFor()
    captcha.refuse(false)
    // A solution works once, so the box has to be ticked again.
    await expect.poll(() => box(page).isChecked()).toBe(false)
    await box(page).check()
    await untilSolved(page)
    await button(page, 'Sign in').click()
    await button(page, 'Sign out').waitFor()
  })

  it('a page that cannot load it says so and retries; then a link is emailed, and a visitor registers by keyboard', async () => {
    const page = await newPage()
    captcha.hideScript(true)
    await page.goto(`${service.webUrl}/sign-in?next=/cart&view=link`)
    await alert(page, 'couldn’t be loaded').waitFor()
    captcha.hideScript(false)
    await button(page, 'Reload the check').click()
    await box(page).waitFor()
    await alert(page, 'couldn’t be loaded').waitFor({ state: 'detached' })

    const email = await registerPerson()
    await page.getByLabel('Email address').fill(email)
    await box(page).check()
    await untilSolved(page)
    await button(page, 'Email me a link').click()
    await page.getByRole('status').getByText('on its way').waitFor()
    // The first mail is that of the registration.
    await service.mailTo(email, 2)

    await goInApp(page, '/sign-in?next=/cart&view=register')
    await fillIn(page, newEmail())
    await page.keyboard.press('Enter')
    await alert(page, 'Solve the check above the button first').waitFor()
    await box(page).press('Space')
    await untilSolved(page)
    await button(page, 'Create account').press('Enter')
    await button(page, 'Sign out').waitFor()
  })
})

it('a visitor reports an emoji id after a solution, which works once', async () => {
  const page = await newPage()
  await page.goto(`${service.webUrl}/report/${encodeURIComponent('🔥🐍')}`)
  await page.getByLabel('What is wrong?').selectOption('Fraud or a scam')
  await page.getByLabel('What happened?').fill('It asked me for my private key.')
  await box(page).check()
  await untilSolved(page)
  await page.locator('iframe[data-solved]').waitFor()
  await button(page, 'Send report').click()
  await page.getByRole('heading', { name: 'Thank you for your report' }).waitFor()
  expect(page.problems).toEqual([])
  const solution = captcha.solve()
  const text = 'It asked another person for a private key.'
  const form = { category: 'scam', text, g_recaptcha_response: solution }
  const secondForm = { ...form, text: 'It asked a third person for a private key.' }
  const path = `/api/emoji_id/${encodeURIComponent('🔥🐍')}/reports`
  expect((await service.post(path, form)).status).toBe(200)
  expect((await service.post(path, secondForm)).json()).toMatchObject({ code: 'wrong_captcha' })
})

it('the Content-Security-Policy allows pages to load only the hosts of the captcha', async () => {
  const policy = (await service.get('/')).headers.get('content-security-policy') ?? ''
  const folder = new URL('.', captcha.env.RECAPTCHA_SCRIPT_URL).href
  expect(policy).toContain(`script-src 'self' ${folder};`)
  expect(policy).toContain(`frame-src ${folder};`)
})
