import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type Application,
  askForLink,
  givePassword,
  startApplication,
} from '../support/application.ts'
import { openBrowser } from '../support/browser.ts'
import { grant } from '../support/ids.ts'
import {
  goodPassword,
  type MailedService,
  mailedService,
  type Person,
  register,
  registerAs,
} from '../support/people.ts'
import { enableApp, smsSink } from '../support/second-factor.ts'
import { assertGoodPage } from '../support/web-pages.ts'

const { newPage } = openBrowser()

let phones: Awaited<ReturnType<typeof smsSink>>
let service: MailedService
let admin: Person
let application: Application
beforeAll(async () => {
  phones = await smsSink()
  service = await mailedService({ reachable: true, env: { SMS_URL: phones.url } })
  admin = await registerAs(service, 'Admin')
  application = await startApplication(service, admin)
})
afterAll(async () => {
  await application?.close()
  await service?.close()
  await phones?.close()
})

const press = (page: Page, name: string) => page.getByRole('button', { name }).click()

const signIn = async (page: Page, { email }: { email: string }, password = goodPassword) => {
  await page.goto(application.begin())
  await givePassword(page, email, password)
}

/** Asks for a link, and answers it. */
const linkAskedFor = async (page: Page) => {
  const { email } = await register(service, { password: null })
  await service.mailTo(email)
  await page.goto(application.begin())
  await askForLink(page, email)
  await page.getByText('Look into your mails').waitFor()
  return { email, link: service.webUrl + (await service.linkTo(email, 2)) }
}

const openLink = async (page: Page) => {
  const { link } = await linkAskedFor(page)
  await page.goto(link)
  await page.waitForURL('**/auth/authorize?*')
}

const choosePassword = async (page: Page) => {
  await openLink(page)
  await page.getByRole('link', { name: 'Set a password' }).click()
  await page.waitForURL('**/authorize/first_password?*')
}

const withPhone = async (phone: string) => {
  const person = await register(service)
  await person.post('/api/account/2fa/enable', { provider: 'SMS', phone })
  await person.post('/api/account/2fa/confirm', { code: await phones.codeTo(phone) })
  return person
}

const usedLink = async (page: Page) => {
  const { email, link } = await linkAskedFor(page)
  await page.goto(link)
  await page.waitForURL('**/auth/authorize?*')
  await press(page, 'Use another account')
  await page.goto(link)
  return email
}

type Case = {
  name: string
  title: string
  open: (page: Page) => Promise<unknown>
  /** What the browser says on its console about a page that is an error. */
  said?: RegExp
}
const cases: Case[] = [
  {
    ...{ name: 'who are you', title: 'Log in with your emoji id' },
    open: (page) => page.goto(application.begin()),
  },
  {
    ...{ name: 'a wrong password', title: 'Log in with your emoji id', said: /401/ },
    async open(page) {
      await signIn(page, await register(service), 'not the password')
      await page.getByRole('alert').waitFor()
    },
  },
  {
    ...{ name: 'no address', title: 'Log in with your emoji id', said: /400/ },
    async open(page) {
      await page.goto(application.begin())
      await page.getByLabel('E-mail address').first().fill('somebody@localhost')
      await press(page, 'Mail me a link')
      await page.getByRole('alert').waitFor()
    },
  },
  {
    ...{ name: 'the code of an app', title: 'Enter your code' },
    async open(page) {
      const person = await register(service)
      await enableApp(service, person)
      await signIn(page, person)
    },
  },
  {
    ...{ name: 'a wrong code', title: 'Enter your code', said: /422/ },
    async open(page) {
      const person = await register(service)
      const { app } = await enableApp(service, person)
      await signIn(page, person)
      await page.getByLabel('Code').fill(app.wrong())
      await press(page, 'Go on')
      await page.getByRole('alert').waitFor()
    },
  },
  {
    ...{ name: 'the code in a text message', title: 'Enter your code' },
    open: async (page) => signIn(page, await withPhone('+14155550101')),
  },
  {
    ...{ name: 'a text message on its way', title: 'Enter your code' },
    async open(page) {
      await signIn(page, await withPhone('+14155550102'))
      await press(page, 'Send me a code')
      await page.getByRole('status').waitFor()
    },
  },
  {
    ...{ name: 'which of several ids', title: 'Choose an emoji id' },
    async open(page) {
      const person = await register(service)
      for (const id of ['🐙🔥', '👋🏽🎸🚀', '🦀🐙🍕👑🔥🐍'])
        await grant(admin, { user_id: person.id }, id)
      await signIn(page, person)
    },
  },
  {
    ...{ name: 'no id to choose', title: 'No emoji id yet' },
    open: async (page) => signIn(page, await register(service)),
  },
  { ...{ name: 'the first password', title: 'Choose a password' }, open: choosePassword },
  {
    ...{ name: 'a password that was too weak', title: 'Choose a password', said: /422/ },
    async open(page) {
      await choosePassword(page)
      await page.getByLabel('New password').fill('password123')
      await press(page, 'Set the password')
      await page.getByRole('alert').waitFor()
    },
  },
  {
    ...{ name: 'a link opened in another browser', title: 'Sign in' },
    open: async (page) => page.goto((await linkAskedFor(await newPage())).link),
  },
  {
    ...{ name: 'a link that was used already', title: 'That link does not work', said: /422/ },
    open: usedLink,
  },
  {
    ...{ name: 'an unknown application', title: 'That address does not work', said: /400/ },
    open: (page) => page.goto(application.begin({ client_id: 'nobody' })),
  },
]

describe('logging in at an application', () => {
  it.each(cases)('stands in nobody’s way: $name', async ({ open, ...expected }) => {
    const page = await newPage()
    await open(page)
    await assertGoodPage(page, expected)
  })

  it('goes on with a new link after one that does not work any more', async () => {
    const page = await newPage()
    const email = await usedLink(page)
    await page.getByRole('link', { name: 'Sign in again' }).click()
    await askForLink(page, email)
    await page.getByText('Look into your mails').waitFor()
    await page.goto(service.webUrl + (await service.linkTo(email, 3)))
    await expect.poll(() => page.title()).toBe('No emoji id yet')
    expect(await page.getByText(email).count()).toBe(1)
  })
})
