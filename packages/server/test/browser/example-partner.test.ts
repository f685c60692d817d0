import { afterAll, beforeAll, expect, it } from 'vitest'
import { openBrowser, type TestPage } from '../support/browser.ts'
import { at, grant } from '../support/ids.ts'
import { type Person, registerAs } from '../support/people.ts'
import { freePort } from '../support/process.ts'
import { startProgram } from '../support/programs.ts'
import { type Site, sharedSite } from '../support/shared-site.ts'
import { bitcoin } from '../support/wallet.ts'

const { newPage } = openBrowser()
const ends: (() => Promise<unknown>)[] = []
let service: Site
let admin: Person
let home: string

beforeAll(async () => {
  service = await sharedSite()
  admin = await registerAs(service, 'Super')
  const port = await freePort()
  home = `http://localhost:${port}`
  await admin.post('/api/admin/organizations', { name: 'Wallet Four', partner_path: 'one' })
  const branding = { currencies: ['BTC'], return_link: `${home}/back?from=directory` }
  expect((await admin.put('/api/organizations/one/branding', branding)).status).toBe(200)
  const program = startProgram('examples/partner-flow.mjs', {
    EMOJID_API: `${service.address}/api`,
    WEB_URL: service.webUrl,
    PARTNER_PATH: 'one',
    PORT: String(port),
  })
  ends.push(program.stop)
  await program.waitFor('\n')
  expect(program.output()).toBe(`Open ${home}\n`)
})
afterAll(async () => {
  for (const end of ends) await end()
})

/** Gives an id to the account that the program created. */
async function idOfTheUser(): Promise<string> {
  const { id } = await service.db
    .selectFrom('users')
    .select('id')
    .where('alternate_id', 'like', 'wallet-user-%')
    .executeTakeFirstOrThrow()
  return grant(admin, { user_id: id })
}

const button = (page: TestPage, name: string) => page.getByRole('button', { name })

it('the partner of examples/ sends a person to the partner pages, and shows the connected id after the return', async () => {
  const page = await newPage()
  const id = await idOfTheUser()
  await page.goto(`${home}/`)
  await page.getByRole('link', { name: 'Connect one that you have' }).click()
  await button(page, 'Yes, continue').click()
  await page.getByRole('link', { name: /^Choose/ }).click()
  await page.getByText('Savings').waitFor()
  await button(page, 'Save this address').click()
  await page.getByText(`Your emoji id is ${id}`).waitFor()
  expect((await service.get(at(id))).body).toContain(`${bitcoin}|Savings`)
  expect(page.problems).toEqual([])
})

it('the partner of examples/ rejects a forged id and survives invalid requests', async () => {
  const readPage = async (path: string) => (await fetch(`${home}${path}`)).text()
  const foreign = await grant(admin, { user_id: admin.id })
  for (const eid of [foreign, '<script>', 'x'.repeat(5_000)])
    expect(await readPage(`/back?eid=${encodeURIComponent(eid)}`)).toBe('That id does not pay you')
  expect(await readPage('/back?eid=%')).toBe('That id does not pay you')
  expect(await readPage('//')).toBe('Nothing here')
  expect(await readPage('/back')).toBe('Welcome back')
})
