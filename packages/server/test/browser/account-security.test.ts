import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { getBytes, Wallet } from 'ethers'
import { beforeAll, describe, expect, it } from 'vitest'
import { openBrowser, type TestPage } from '../support/browser.ts'
import { goInApp } from '../support/in-app.ts'
import { addVirtualAuthenticator } from '../support/passkeys.ts'
import {
  goodPassword,
  logIn,
  newcomer,
  newEmail,
  type Person,
  press,
  setNewPassword,
} from '../support/people.ts'
import { keyPair } from '../support/schnorr.ts'
import { authenticator, enableApp } from '../support/second-factor.ts'
import { type Site, sharedSite } from '../support/shared-site.ts'
import {
  assertDarkLooks,
  hasFocus,
  holdNext,
  openAs,
  waitForAnnouncement,
} from '../support/web-pages.ts'

const { newPage } = openBrowser()

let service: Site
beforeAll(async () => {
  service = await sharedSite()
})

const button = (page: TestPage, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' })
const dialog = (page: TestPage, name: string) => page.getByRole('dialog', { name })
const rowsOf = (page: TestPage, table: string) =>
  page.getByRole('table', { name: table }).getByRole('rowheader')
const signedIn = async (person: Person, path: string) => {
  const page = await newPage()
  await openAs(service, page, person, path)
  return page
}

const newWallet = () => new Wallet(`0x${randomBytes(32).toString('hex')}`)

describe('the second factor', () => {
  it('survives a recovery request that its owner cancels, and is removed otherwise', async () => {
    const anna = await newcomer(service, { password: goodPassword, isVerified: true })
    await enableApp(service, anna)
    await service.settle()
    const linkIn = (path: string) => {
      const texts = service.mailsTo(anna.email).map(({ text }) => text ?? '')
      const matches = texts.flatMap(
        (text) => new RegExp(`(${path}\\?token=\\S+)`).exec(text)?.[1] ?? [],
      )
      return matches.at(-1) ?? ''
    }
    const page = await newPage()
    await page.goto(`${service.webUrl}/auth/lost_factor`)
    await expect.poll(() => page.title()).toBe('Lost your second factor?')
    await assertDarkLooks(page)
    await page.getByLabel('Email address').fill(anna.email)
    await button(page, 'Email me a link').click()
    await expect.poll(() => page.title()).toBe('Check your email')
    await service.settle()
    await page.goto(`${service.webUrl}${linkIn('/auth/recover_factor')}`)
    await expect.poll(() => page.title()).toBe('Remove a lost second factor')
    await assertDarkLooks(page)
    await button(page, 'Start the three-day wait').click()
    await expect.poll(() => page.title()).toBe('The three-day wait has started')

    await openAs(service, page, anna, '/account/security')
    await page.getByRole('heading', { name: /^Your second factor can be removed soon/ }).waitFor()
    await button(page, 'Cancel the removal').click()
    await waitForAnnouncement(page, 'Your second factor stays.')
    await button(page, 'Cancel the removal').waitFor({ state: 'detached' })
    expect(page.problems).toEqual([])

    expect((await press(service, linkIn('/auth/not_me'))).status).toBe(200)
    expect((await setNewPassword(service, anna.email)).tokens.requires_2fa).toBeNull()
  })

  it('the second factor is set up with an app, protects API keys, and is turned off with a backup code', async () => {
    const anna = await newcomer(service)
    const page = await signedIn(anna, '/account/security')
    await page.getByText('Off', { exact: true }).waitFor()
    await button(page, 'Set up an authenticator app').click()
    await page.getByRole('img', { name: 'QR code with the secret for your app' }).waitFor()
    await assertDarkLooks(page)
    const secret = await page.getByRole('definition').first().textContent()
    const app = authenticator(service, String(secret).replaceAll(' ', ''))
    await page.getByLabel('Code', { exact: true }).fill(app.code())
    await button(page, 'Turn on').click()
    const list = page.getByRole('list', { name: 'Backup codes' }).getByRole('listitem')
    await list.first().waitFor()
    const codes = await list.allTextContents()
    expect(new Set(codes).size).toBe(10)
    const downloadEvent = page.waitForEvent('download')
    await button(page, 'Download').click()
    const stream = await (await downloadEvent).createReadStream()
    const file = Buffer.concat(await stream.toArray()).toString()
    for (const code of codes) expect(file).toContain(code)
    expect(await button(page, 'Done').isDisabled()).toBe(true)
    // The page warns before the codes are stored.
    const keys = page.getByRole('link', { name: 'Keys', exact: true })
    await keys.click()
    const leaveDialog = page.getByRole('dialog', { name: /^Leave without storing/ })
    await leaveDialog.getByText('We never show them again.').waitFor()
    await button(page, 'Stay').click()
    await page.getByLabel('I’ve stored them').check()
    await button(page, 'Done').click()
    await page.getByText('On', { exact: true }).waitFor()
    expect(await page.content()).not.toContain(codes[0])

    // After a code counts as recent.
    service.clock.advance(16 * 60_000)
    await keys.click()
    await button(page, 'Create an API key').click()
    await page.getByLabel('Name').fill('<b>bot</b>')
    await button(page, 'Create key').click()
    await page.getByText('Choose at least one permission.').waitFor()
    await page.getByLabel('See your cart').check()
    await page.getByLabel('Expires').selectOption('90')
    await assertDarkLooks(page)
    await button(page, 'Create key').click()
    const codeDialog = dialog(page, 'Enter your code')
    await codeDialog.waitFor()
    await page.keyboard.press('Escape')
    await codeDialog.waitFor({ state: 'detached' })
    await page.getByRole('alert').getByText('This needs a code').waitFor()
    await expect.poll(() => hasFocus(button(page, 'Create key'))).toBe(true)
    await page.keyboard.press('Enter')
    await page.getByLabel('Code', { exact: true }).fill(app.next())
    await button(page, 'Continue').click()
    await page.getByRole('heading', { name: 'Your new API key' }).waitFor()
    const key = (await page.getByRole('definition').first().textContent()) ?? ''
    expect(key).toMatch(/^svc_/)
    const call = (path: string) => service.get(path, { headers: { 'x-api-key': key } })
    expect((await call('/api/cart')).status).toBe(200)
    expect((await call('/api/orders')).status).toBe(403)
    await button(page, 'I’ve stored it').click()
    await rowsOf(page, 'Your API keys').getByText('<b>bot</b>').waitFor()
    expect(await page.content()).not.toContain(key)
    await button(page, /^Delete/).click()
    await button(page, 'Delete it').click()
    await page.getByText('No API keys yet.').waitFor()
    expect((await call('/api/cart')).status).toBe(401)
    expect(page.problems.filter((text) => !/40[13]|42[24]/.test(text))).toEqual([])

    await page.getByRole('link', { name: 'Security', exact: true }).click()
    await button(page, 'Lost your device?').click()
    await page.getByRole('textbox', { name: 'Backup code' }).fill(codes[3] ?? '')
    await button(page, 'Turn off and sign out').click()
    await page.waitForURL(/\/sign-in\?next=/)
    expect((await anna.get('/api/account')).status).toBe(401)
  })

  it('the second factor is set up with text messages after the address is confirmed, and asks for the next code', async () => {
    const anna = await newcomer(service)
    const phone = '+14155550143'
    const page = await signedIn(anna, '/account/security')
    await button(page, 'Set up text messages').click()
    await button(page, 'Resend the link').waitFor()
    await page.getByLabel('Phone number').fill('+14155550144')
    await button(page, 'Send a code').click()
    await page.getByRole('alert').getByText('Confirm your email address first.').waitFor()
    expect(await page.locator('[aria-invalid=true]').count()).toBe(0)
    const confirmed = { email_verified_at: new Date() }
    await service.db.updateTable('users').set(confirmed).where('id', '=', anna.id).execute()
    await page.getByLabel('Phone number').fill('+1 (415) 555-0143')
    await button(page, 'Send a code').click()
    await page.getByText('the number ending in 0143').waitFor()
    await page.getByLabel('Code', { exact: true }).fill(await service.phones.codeTo(phone))
    await button(page, 'Turn on').click()
    const codes = page.getByRole('list', { name: 'Backup codes' }).getByRole('listitem')
    await codes.first().waitFor()
    await page.getByLabel('I’ve stored them').check()
    await button(page, 'Done').click()
    await page.getByText('On', { exact: true }).waitFor()

    service.clock.advance(16 * 60_000)
    await button(page, /^Turn off/).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click()
    const askLocator = dialog(page, 'Enter your code')
    await askLocator.getByRole('button', { name: 'Send a code to my phone' }).click()
    await askLocator.getByLabel('Code', { exact: true }).fill(await service.phones.codeTo(phone, 2))
    await button(page, 'Continue').click()
    await waitForAnnouncement(page, 'Turned off.')
    expect(page.problems.filter((text) => !/40[01]|42[24]/.test(text))).toEqual([])
  })
})

describe('an old sign-in', () => {
  const askForKey = async (page: TestPage) => {
    await button(page, 'Create an API key').click()
    await page.getByLabel('Name').fill('bot')
    await page.getByLabel('See your cart').check()
    await button(page, 'Create key').click()
  }

  it('an old sign-in is confirmed by the password before it makes a key, which then appears', async () => {
    const anna = await newcomer(service, { password: goodPassword, isVerified: true })
    const page = await signedIn(anna, '/account/keys')
    await page.getByText('No API keys yet.').waitFor()
    service.clock.advance(16 * 60_000)
    await askForKey(page)
    const prompt = dialog(page, 'Is it still you?')
    await prompt.waitFor()
    await assertDarkLooks(page)
    await page.keyboard.press('Escape')
    await prompt.waitFor({ state: 'detached' })
    await page.getByRole('alert').getByText('You signed in a while ago.').waitFor()
    await button(page, 'Create key').click()
    const password = prompt.getByLabel('Your password')
    await password.fill('not the right one')
    await page.keyboard.press('Enter')
    await prompt.getByText('The current password is missing or wrong.').waitFor()
    await password.fill(goodPassword)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Your new API key' }).waitFor()
    expect(page.problems.filter((text) => !/40[013]|422/.test(text))).toEqual([])
  })

  it('an old sign-in is confirmed by an emailed link in an account without a password', async () => {
    const ben = await newcomer(service, { isVerified: true })
    const page = await signedIn(ben, '/account/keys')
    await page.getByText('No API keys yet.').waitFor()
    service.clock.advance(16 * 60_000)
    await askForKey(page)
    const prompt = dialog(page, 'Is it still you?')
    await prompt.getByRole('button', { name: 'Email me a link' }).click()
    await prompt.getByText(`A link is on its way to ${ben.email}.`).waitFor()
    const other = await page.context().newPage()
    await other.goto(`${service.webUrl}${await service.linkTo(ben.email)}`)
    await other.getByRole('button', { name: 'Sign in' }).click()
    await other.getByRole('button', { name: 'Continue without a password' }).click()
    await other.getByText('No API keys yet.').waitFor()
    await prompt.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('heading', { name: 'Your new API key' }).waitFor()
    expect(page.problems.filter((text) => !/40[013]/.test(text))).toEqual([])
  })
})

describe('sessions', () => {
  it('sessions are listed with the current one, and end one by one or all together', async () => {
    const anna = await newcomer(service, { password: goodPassword })
    const others = [anna, await logIn(service, anna)]
    const page = await signedIn(anna, '/account/security')
    const rows = rowsOf(page, 'Your sessions')
    await expect.poll(() => rows.count()).toBe(3)
    const currentRow = page.getByRole('row').filter({ hasText: 'This session' })
    expect(await currentRow.textContent()).toMatch(/Chrome on Linux.*This website/)
    expect(await currentRow.getByRole('button').count()).toBe(0)

    await button(page, /^End :/)
      .first()
      .click()
    await button(page, 'End session').click()
    await waitForAnnouncement(page, 'Session ended.')
    await expect.poll(() => rows.count()).toBe(2)
    const states = () =>
      Promise.all(others.map(async (one) => (await one.get('/api/account')).status))
    expect((await states()).filter((status) => status === 401)).toHaveLength(1)

    await button(page, 'End all others').click()
    await button(page, 'End sessions').click()
    await expect.poll(() => rows.count()).toBe(1)
    expect(await states()).toEqual([401, 401])
    expect(page.problems).toEqual([])
  })
})

describe('keys', () => {
  it('keys of owners and wallets are proven by a signature, and wallets can be disconnected', async () => {
    const anna = await newcomer(service)
    const page = await signedIn(anna, '/account/keys')
    const own = keyPair()
    await button(page, 'Add my own key').click()
    await page.getByLabel('Public key', { exact: true }).fill(own.pubkey)
    await button(page, 'Add key').click()
    const proofDialog = dialog(page, 'Prove that the key is yours')
    await proofDialog.waitFor()
    const [domain = '', message = ''] = await proofDialog.getByRole('definition').allTextContents()
    const { nonce, signature } = own.sign(domain, message)
    await page.getByLabel('R of the signature').fill(nonce)
    await page.getByLabel('s of the signature', { exact: true }).fill(signature)
    await button(page, 'Prove it').click()
    await page.getByText('Proven', { exact: true }).waitFor()
    expect((await anna.get('/api/pubkeys')).json()).toContain(own.pubkey)

    const [first, second] = [newWallet(), newWallet()]
    await page.getByText('No connected wallets.').waitFor()
    await button(page, 'Connect a wallet').click()
    const askLocator = dialog(page, 'Connect a wallet')
    await page.getByLabel('Wallet address').fill(first.address)
    await button(page, 'Get the message').click()
    const text = (await askLocator.getByRole('definition').textContent()) ?? ''
    await page.getByLabel('Signature').fill(await first.signMessage(text))
    await button(page, 'Connect').click()
    await waitForAnnouncement(page, 'Wallet connected.')
    const list = page.getByRole('list', { name: 'Your wallets' })
    await list.getByText(first.address, { exact: true }).waitFor()

    await page.evaluate((address) => {
      const globals = globalThis as unknown as Record<string, unknown>
      globals['ethereum'] = {
        request: ({ method, params = [] }: { method: string; params?: unknown[] }) =>
          method === 'eth_requestAccounts'
            ? Promise.resolve([address])
            : new Promise((answer) => Object.assign(globals, { toSign: params[0], answer })),
      }
    }, second.address)
    await button(page, 'Connect a wallet').click()
    await button(page, 'Sign with this browser’s wallet').click()
    const toSign = () => page.evaluate(() => (globalThis as { toSign?: string }).toSign ?? '')
    await expect.poll(toSign).toMatch(/^0x/)
    const signedThere = await second.signMessage(getBytes(await toSign()))
    await page.evaluate((key) => {
      const { answer } = globalThis as unknown as { answer: (signature: string) => void }
      answer(key)
    }, signedThere)
    await list.getByText(second.address, { exact: true }).waitFor()
    expect((await anna.get('/api/wallets')).json()).toMatchObject([
      { eth_address: first.address, proven: true },
      { eth_address: second.address, proven: true },
    ])

    const row = list.getByRole('listitem').filter({ hasText: first.address })
    await row.getByRole('button', { name: /^Disconnect/ }).click()
    await dialog(page, 'Disconnect this wallet?').getByText(first.address).waitFor()
    await button(page, 'Disconnect').click()
    await waitForAnnouncement(page, 'Wallet disconnected.')
    await list.getByText(first.address, { exact: true }).waitFor({ state: 'detached' })
    expect((await anna.get('/api/wallets')).json()).toHaveLength(1)
    expect(page.problems).toEqual([])
  })
})

describe('the profile', () => {
  it('changes name, password and address, and deletes the account after its name is typed', async () => {
    const anna = await newcomer(service, { password: goodPassword, isVerified: true })
    const page = await signedIn(anna, '/account/profile')
    await page.getByLabel('First name').fill('Anna')
    await button(page, 'Save name').click()
    await waitForAnnouncement(page, 'Name saved.')

    const better = 'another password that is hard to guess'
    const password = page.getByRole('region', { name: 'Password' })
    await password.getByLabel('Current password').fill('wrong')
    await password.getByLabel('New password').fill(better)
    await button(page, 'Change password').click()
    await password.getByText('Wrong password. Try again.').waitFor()
    expect(await password.getByRole('alert').count()).toBe(1)
    await password.getByLabel('Current password').fill(goodPassword)
    const releasePassword = await holdNext(page, 'PATCH', '**/api/account')
    await button(page, 'Change password').click()
    await password.getByLabel('New password').fill('typed meanwhile')
    releasePassword()
    await waitForAnnouncement(page, 'Password changed.')
    await expect.poll(() => password.getByLabel('Current password').inputValue()).toBe('')
    expect(await password.getByLabel('New password').inputValue()).toBe('typed meanwhile')
    expect((await anna.get('/api/account')).status).toBe(401)

    const email = newEmail()
    const address = page.getByRole('region', { name: 'Email address' })
    await address.getByLabel('New address').fill(email)
    await address.getByLabel('Current password').fill(better)
    const releaseAddress = await holdNext(page, 'PATCH', '**/api/account')
    await button(page, 'Change address').click()
    await address.getByLabel('New address').fill('typed@meanwhile.example')
    releaseAddress()
    await page.getByText(`We emailed a link to ${email}.`).waitFor()
    await expect.poll(() => address.getByLabel('Current password').inputValue()).toBe('')
    expect(await address.getByLabel('New address').inputValue()).toBe('typed@meanwhile.example')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      button(page, 'Download my data').click(),
    ])
    const file = JSON.parse(readFileSync(await download.path(), 'utf8'))
    expect(file.account).toMatchObject({ email: anna.email })
    await waitForAnnouncement(page, 'Your data is downloaded.')
    await button(page, 'Delete my account').click()
    const askLocator = dialog(page, 'Permanently delete your account?')
    await askLocator.getByText('because the law requires us to keep our books').waitFor()
    await assertDarkLooks(page)
    await askLocator.getByLabel(/^To confirm, type/).fill('wrong')
    await askLocator.getByRole('button', { name: 'Delete my account' }).click()
    const readDeletion = () =>
      service.db
        .selectFrom('users')
        .select('deleted_at')
        .where('id', '=', anna.id)
        .executeTakeFirstOrThrow()
    expect(await readDeletion()).toEqual({ deleted_at: null })
    await askLocator.getByLabel(/^To confirm, type/).fill(anna.email)
    await askLocator.getByRole('button', { name: 'Delete my account' }).click()
    await page.waitForURL(`${service.webUrl}/`)
    await page.getByRole('link', { name: 'Sign in' }).waitFor()
    expect(await readDeletion()).toEqual({ deleted_at: expect.any(Date) })
  })
})

it('a passkey is added, named, renamed, used to sign in and to confirm, and removed', async () => {
  const anna = await newcomer(service, { isVerified: true })
  const page = await newPage()
  const authenticator = await addVirtualAuthenticator(page)
  await openAs(service, page, anna, '/account/security')
  await page.getByText('You have no passkey yet.').waitFor()
  await button(page, 'Add a passkey').click()
  await page.getByLabel('Name', { exact: true }).fill('My phone')
  await button(page, 'Add it').click()
  await expect.poll(() => rowsOf(page, 'Your passkeys').allTextContents()).toEqual(['My phone'])
  await button(page, /^Rename/).click()
  await page.getByLabel('Name', { exact: true }).fill('Anna’s phone')
  await button(page, 'Rename it').click()
  await expect.poll(() => rowsOf(page, 'Your passkeys').allTextContents()).toEqual(['Anna’s phone'])

  await button(page, 'Sign out').click()
  await page.getByRole('link', { name: 'Sign in' }).first().waitFor()
  await goInApp(page, '/sign-in?next=%2Faccount%2Fsecurity')
  await authenticator.refuse(true)
  await button(page, 'Sign in with a passkey').click()
  await page.getByText('No passkey was used.').waitFor()
  await authenticator.refuse(false)
  await button(page, 'Sign in with a passkey').click()
  await expect.poll(() => rowsOf(page, 'Your passkeys').allTextContents()).toEqual(['Anna’s phone'])

  // A passkey that is older than the second factor takes the place of a code once a code allowed it.
  const { app } = await enableApp(service, anna)
  service.clock.advance(20 * 60_000)
  await page.reload()
  await button(page, 'Use a passkey').click()
  await page.getByText('This passkey is older than your second factor.').waitFor()
  await page.getByLabel('Code', { exact: true }).fill(app.next())
  await button(page, 'Continue').click()
  await page.getByText('Older than your second factor: we also ask for a code.').waitFor()
  await button(page, /^Use without code/).click()
  await button(page, 'Allow it').click()
  await expect.poll(() => rowsOf(page, 'Your passkeys').allTextContents()).toEqual(['Anna’s phone'])
  service.clock.advance(20 * 60_000)
  await button(page, /^Remove/).click()
  await button(page, 'Remove it').click()
  await button(page, 'Use a passkey').click()
  await page.getByText('You have no passkey yet.').waitFor()
  expect(page.problems.filter((text) => !/40[13]|42[24]/.test(text))).toEqual([])
})

it('a former address that can take the account back is named in the profile', async () => {
  const anna = await newcomer(service, { password: goodPassword, isVerified: true })
  const email = newEmail()
  await anna.patch('/api/account', { email, current_password: goodPassword })
  const confirmation = await service.linkTo(email)
  expect((await press(service, confirmation)).status).toBe(200)
  const back = await logIn(service, { email, password: goodPassword })
  const page = await signedIn({ ...anna, ...back }, '/account/profile')
  await page.getByText(`Your former address ${anna.email} also gets security notices`).waitFor()
  await assertDarkLooks(page)
})
