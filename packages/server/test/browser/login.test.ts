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
import { enableApp } from '../support/second-factor.ts'

const { newPage } = openBrowser()

let service: MailedService
let admin: Person
let application: Application
beforeAll(async () => {
  service = await mailedService({ reachable: true })
  admin = await registerAs(service, 'Admin')
  application = await startApplication(service, admin)
})
afterAll(async () => {
  await application?.close()
  await service?.close()
})

/** Somebody with two ids. */
const owner = async (body = {}) => {
  const person = await register(service, body)
  const user_id = person.id
  return { ...person, ids: [await grant(admin, { user_id }), await grant(admin, { user_id })] }
}
const begin = async (page: Page) => {
  await page.goto(application.address)
  await page.getByRole('link', { name: 'Log in with your emoji id' }).click()
  await expect.poll(() => page.title()).toBe('Log in with your emoji id')
}
const choose = async (page: Page, id = '') => {
  await expect.poll(() => page.title()).toBe('Choose an emoji id')
  // What people see is a picture; what they copy is the id.
  await page.getByRole('listitem').filter({ hasText: id }).getByRole('link').click()
}
const assertLoggedIn = async (page: Page, id = '') => {
  await expect.poll(() => page.title()).toBe('Logged in')
  expect(page.url()).toMatch(new RegExp(`^${application.redirect_uri}\\?code=`))
  expect(await page.getByRole('status').textContent()).toBe(id)
}
/** Asks for a link at the application, and answers it. */
const linkFor = async (page: Page, email: string) => {
  await service.mailTo(email)
  await begin(page)
  await askForLink(page, email)
  await expect.poll(() => page.title()).toBe('Waiting')
  expect(page.url()).toContain(`${application.redirect_uri}?status=pending_magic_link&state=`)
  return service.webUrl + (await service.linkTo(email, 2))
}

describe('somebody logs in at an application with an emoji id', () => {
  it('by a mailed link, opened where it was asked for: the ids are there at once', async () => {
    const { email, ids } = await owner({ password: null })
    const page = await newPage()
    const link = await linkFor(page, email)
    await page.goto(link)
    await expect.poll(() => page.title()).toBe('Choose an emoji id')
    const token = new URL(link).searchParams.get('refresh_token') ?? ''
    expect(token).toMatch(/^[\w-]{43}$/)
    expect(page.url()).not.toContain(token)
    const kept = await page.context().cookies(service.webUrl)
    expect(JSON.stringify(kept)).not.toContain(token)

    await choose(page, ids[1])
    await assertLoggedIn(page, ids[1])
    expect(page.problems).toEqual([])
  })

  it('by a mailed link, opened in another browser: after a button, and the first stays out', async () => {
    const { email, ids } = await owner({ password: null })
    const [asking, page] = [await newPage(), await newPage()]
    await page.goto(await linkFor(asking, email))
    expect(await page.title()).toBe('Sign in')
    expect(await page.getByText(email).count()).toBe(1)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await choose(page, ids[0])
    await assertLoggedIn(page, ids[0])

    await asking.goto(application.begin())
    expect(await asking.title()).toBe('Log in with your emoji id')
  })

  it('by password, and the next time without', async () => {
    const { email, ids } = await owner()
    const page = await newPage()
    await begin(page)
    await givePassword(page, email)
    await choose(page, ids[0])
    await assertLoggedIn(page, ids[0])

    await page.getByRole('link', { name: 'Again' }).click()
    await choose(page, ids[1])
    await assertLoggedIn(page, ids[1])
    expect(page.problems).toEqual([])
  })

  it('by password and the code of an authenticator app', async () => {
    const person = await owner()
    const { app } = await enableApp(service, person)
    const page = await newPage()
    await begin(page)
    await givePassword(page, person.email)
    await expect.poll(() => page.title()).toBe('Enter your code')
    await page.goto(application.begin({ svc: person.ids[0] ?? '' }))
    expect(await page.title()).toBe('Enter your code')

    await page.getByLabel('Code').fill(app.next())
    await page.getByRole('button', { name: 'Go on' }).click()
    await choose(page, person.ids[0])
    await assertLoggedIn(page, person.ids[0])
    expect(page.problems).toEqual([])
  })

  it('after setting a first password, behind a mailed link', async () => {
    const { email, ids } = await owner({ password: null })
    const page = await newPage()
    await page.goto(await linkFor(page, email))
    await page.getByRole('link', { name: 'Set a password' }).click()
    await page.getByLabel('New password').fill(goodPassword)
    await page.getByRole('button', { name: 'Set the password' }).click()
    await choose(page, ids[0])
    await assertLoggedIn(page, ids[0])
    expect(page.problems).toEqual([])
  })

  it('or goes back without', async () => {
    const page = await newPage()
    await begin(page)
    await page.getByRole('link', { name: 'Back to Crab Shop' }).click()
    await expect.poll(() => page.title()).toBe('Not logged in')
    expect(await page.getByText('access_denied').count()).toBe(1)
  })

  it('with the keyboard alone', async () => {
    const { email, ids } = await owner()
    const page = await newPage()
    const tabTo = async (name: string) => {
      for (let presses = 0; presses < 12; presses++) {
        await page.keyboard.press('Tab')
        const label = await page.evaluate(() => {
          const at = document.activeElement as HTMLElement | null
          const [labelled] = (at as HTMLInputElement | null)?.labels ?? []
          return at?.ariaLabel ?? (labelled ?? at)?.textContent ?? ''
        })
        if (label.trim().startsWith(name)) return
      }
      throw new Error(`${name} is not reached with Tab on ${await page.title()}`)
    }
    await page.goto(application.address)
    await tabTo('Log in with your emoji id')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.title()).toBe('Log in with your emoji id')
    await tabTo('E-mail address')
    await tabTo('E-mail address')
    await page.keyboard.type(email)
    await tabTo('Password')
    await page.keyboard.type(goodPassword)
    await page.keyboard.press('Enter')
    await expect.poll(() => page.title()).toBe('Choose an emoji id')
    await tabTo('Go on as')
    const chosen = await page.evaluate(() => document.activeElement?.textContent ?? '')
    await page.keyboard.press('Enter')
    await assertLoggedIn(
      page,
      ids.find((id) => chosen.includes(id)),
    )
    expect(page.problems).toEqual([])
  })

  it('where no script runs', async () => {
    const { email, ids } = await owner()
    const page = await newPage({ script: false })
    await begin(page)
    await givePassword(page, email)
    await choose(page, ids[0])
    await assertLoggedIn(page, ids[0])
    expect(page.problems).toEqual([])
  })
})
