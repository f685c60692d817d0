import type { AddressInfo } from 'node:net'
import express, { type NextFunction, type Request, type Response } from 'express'
import session from 'express-session'
import { Passport } from 'passport'
import { Strategy, TokenError, type VerifyCallback } from 'passport-oauth2'
import { afterAll, expect, it } from 'vitest'
import { grant } from '../support/ids.ts'
import { type Browser, openBrowser, startApplicationFlow } from '../support/oauth.ts'
import { confirmedUser, mailedService } from '../support/people.ts'

const service = await mailedService({ reachable: true })
const app = express()
const server = app.listen(0, '127.0.0.1')
await new Promise((resolve) => server.once('listening', resolve))
const home = `http://localhost:${(server.address() as AddressInfo).port}`
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve))
  await service.close()
})
const { admin, client_id, client_secret, redirect_uri, person, id, authUrl, idsSeenWith } =
  await startApplicationFlow(service, `${home}/callback`)

/** The application as its users see it. Its callback responds in JSON. */
const passport = new Passport()
const strategyWith = (clientSecret: string) =>
  new Strategy(
    {
      authorizationURL: `${authUrl}/authorize`,
      tokenURL: `${authUrl}/token`,
      clientID: client_id,
      clientSecret,
      callbackURL: redirect_uri,
      scope: 'svc',
      state: true,
      pkce: true,
    },
    async (access_token: string, _refresh: string, _profile: unknown, callback: VerifyCallback) =>
      callback(null, { ids: await idsSeenWith(access_token) }),
  )
passport.use('emoji id', strategyWith(client_secret))
passport.use('wrong secret', strategyWith('sec_wrong'))
passport.serializeUser((user, done) => done(null, user))
passport.deserializeUser((user: Express.User, done) => done(null, user))

app.use(session({ secret: 'of the test', resave: false, saveUninitialized: false }))
app.use(passport.session())
app.get('/login', passport.authenticate('emoji id'))
app.get(
  '/callback',
  (request, response, next) => {
    if (request.query['status'] !== 'pending_magic_link') return next()
    return void response.json({ waits: true })
  },
  (request, response, next) => {
    const isWrong = request.query['wrong'] !== undefined
    passport.authenticate(isWrong ? 'wrong secret' : 'emoji id')(request, response, next)
  },
  (request, response) => void response.json(request.user),
)
app.use((error: unknown, _request: Request, response: Response, _next: NextFunction) => {
  const errorBody = error instanceof TokenError ? { refused: error.code } : { error: String(error) }
  response.status(500).json(errorBody)
})

const begin = async (browser: Browser) => (await browser.visit(`${home}/login`)).location
const answerTo = async (browser: Browser, address: string | URL) => {
  const { status, body } = await browser.visit(address)
  return { status, ...(status === 403 ? {} : JSON.parse(body)) }
}

it('passport-oauth2 signs a user in with a password', async () => {
  const browser = openBrowser()
  const callback = await browser.logIn(await begin(browser), person, id)
  expect(await answerTo(browser, callback)).toEqual({ status: 200, ids: [id] })
})

it('passport-oauth2 waits for an emailed link, and gets the code in the same session', async () => {
  const { email, id: user_id } = await confirmedUser(service)
  await service.mailTo(email)
  const [chosenId] = [await grant(admin, { user_id }), await grant(admin, { user_id })]
  const browser = openBrowser()
  const pending = new URL(await browser.askForLink(await begin(browser), email))
  expect(pending.searchParams.get('status')).toBe('pending_magic_link')
  expect(await answerTo(browser, pending)).toEqual({ status: 200, waits: true })

  const link = await service.linkTo(email, 2)
  const { location } = await browser.visit(`http://localhost:${service.port}${link}`)
  const callback = await browser.choose(location, chosenId)
  expect(callback.searchParams.get('state')).toBe(pending.searchParams.get('state'))
  expect(await answerTo(browser, callback)).toEqual({ status: 200, ids: [chosenId] })
})

it('passport-oauth2 rejects a callback from another browser', async () => {
  const [browser, other] = [openBrowser(), openBrowser()]
  const callback = await browser.logIn(await begin(browser), person, id)
  await begin(other)
  expect(await answerTo(other, callback)).toEqual({ status: 403 })
  expect(await answerTo(openBrowser(), callback)).toEqual({ status: 403 })
})

it('passport-oauth2 reports a reused code (T73)', async () => {
  const browser = openBrowser()
  const usedUrl = await browser.logIn(await begin(browser), person, id)
  expect(await answerTo(browser, usedUrl)).toMatchObject({ status: 200 })
  const state = new URL(await begin(browser)).searchParams.get('state')
  usedUrl.searchParams.set('state', String(state))
  expect(await answerTo(browser, usedUrl)).toEqual({ status: 500, refused: 'invalid_grant' })
})

it('passport-oauth2 reports a wrong secret (T77)', async () => {
  const browser = openBrowser()
  const callback = await browser.logIn(await begin(browser), person, id)
  callback.searchParams.set('wrong', '')
  expect(await answerTo(browser, callback)).toEqual({ status: 500, refused: 'invalid_client' })
})
