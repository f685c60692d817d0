import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { grant } from '../support/ids.ts'
import { type Browser, openBrowser, startApplicationFlow } from '../support/oauth.ts'
import { confirmedUser, type MailedService, mailedService } from '../support/people.ts'
import { freePort } from '../support/process.ts'
import { startProgram } from '../support/programs.ts'

/** Runs the program of the guide and the example that it names, unchanged. */
const page = new URL('../../../../docs/login-with-emoji-id.md', import.meta.url)
const blocks = [...readFileSync(page, 'utf8').matchAll(/^```js\n(.*?)^```$/gms)]
const programs = [
  { title: 'of the guide', code: blocks[0]?.[1] ?? '' },
  { title: 'examples/log-in-with-an-id.mjs', code: 'examples/log-in-with-an-id.mjs' },
]

let service: MailedService
const ends: (() => Promise<unknown>)[] = []
beforeAll(async () => {
  service = await mailedService({ reachable: true })
})
afterAll(async () => {
  for (const end of ends) await end()
  await service.close()
})

async function start(code: string) {
  const home = `http://localhost:${await freePort()}`
  const application = await startApplicationFlow(service, `${home}/callback`)
  const { authUrl, apiUrl, client_id, client_secret } = application
  const program = startProgram(code, {
    AUTH_URL: authUrl,
    API_URL: apiUrl,
    PORT: new URL(home).port,
    CLIENT_ID: client_id,
    CLIENT_SECRET: client_secret,
  })
  ends.push(program.stop)
  await program.waitFor('\n')
  expect(program.output()).toBe(`Open ${home}/login\n`)
  return { ...application, home }
}

it('the guide shows one program', () => {
  expect(blocks).toHaveLength(1)
})

describe.each(programs)('the program $title', ({ code }) => {
  let program: Awaited<ReturnType<typeof start>>
  beforeAll(async () => {
    program = await start(code)
  })
  const begin = async (browser: Browser) => (await browser.visit(`${program.home}/login`)).location
  const readGreeting = async (browser: Browser, address: string | URL) => {
    const { status, body } = await browser.visit(address)
    return `${status} ${body}`
  }

  it('greets a user by the chosen id, once', async () => {
    const { person, id } = program
    const browser = openBrowser()
    const callback = await browser.logIn(await begin(browser), person, id)
    expect(await readGreeting(browser, callback)).toBe(`200 Hello ${id}`)
    expect(await readGreeting(browser, callback)).toContain(
      '400 Not signed in: This browser asked for',
    )
  })

  it('waits for an emailed link', async () => {
    const { email, id: user_id } = await confirmedUser(service)
    await service.mailTo(email)
    const chosenId = await grant(program.admin, { user_id })
    const browser = openBrowser()
    const pending = await browser.askForLink(await begin(browser), email)
    expect(await readGreeting(browser, pending)).toContain(
      '200 Open the link that was emailed to you',
    )
    const link = await service.linkTo(email, 2)
    const { location } = await browser.visit(`http://localhost:${service.port}${link}`)
    const callback = await browser.choose(location, chosenId)
    expect(await readGreeting(browser, callback)).toBe(`200 Hello ${chosenId}`)
  })

  it('rejects a response of another browser, issuer or time', async () => {
    const { person, id } = program
    const [browser, other] = [openBrowser(), openBrowser()]
    const callback = await browser.logIn(await begin(browser), person, id)
    await begin(other)
    expect(await readGreeting(other, callback)).toContain(
      '400 Not signed in: This browser asked for',
    )
    const foreign = new URL(callback)
    foreign.searchParams.set('iss', 'https://evil.example')
    expect(await readGreeting(browser, foreign)).toContain('400 Not signed in: ')
    service.clock.advance(66_000)
    expect(await readGreeting(browser, callback)).toContain(
      '400 Not signed in: The code or token is expired',
    )
  })

  it('reports a cancelled sign-in, and survives invalid requests', async () => {
    const browser = openBrowser()
    const address = (await begin(browser)).replace('/authorize', '$&/cancel')
    const { location } = await browser.visit(address)
    expect(await readGreeting(browser, location)).toBe(
      '400 Not signed in: The user cancelled the sign-in.',
    )
    for (const path of ['//', '/callback', '/callback?state=x&code=y&iss=z', '/callback?state']) {
      expect(await readGreeting(openBrowser(), `${program.home}${path}`)).toContain(
        '400 Not signed in: ',
      )
    }
    expect(await readGreeting(browser, `${program.home}/x`)).toBe('404 Nothing here.')
  })
})
