import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { goodPassword, type MailedService, mailedService, newEmail } from '../support/people.ts'
import { recaptchaServer } from '../support/recaptcha.ts'
import { stopTheClock } from '../support/stopped-clock.ts'

let captcha: Awaited<ReturnType<typeof recaptchaServer>>
let service: MailedService
beforeAll(async () => {
  captcha = await recaptchaServer()
  service = await mailedService({ env: captcha.env })
})
afterAll(async () => {
  await service.close()
  await captcha.close()
})
beforeEach(() => service.db.deleteFrom('login_failures').execute())
afterEach(() => captcha.behave('answer'))

const send = (path: string, body: object, solution: string | undefined) =>
  service.post(path, { ...body, g_recaptcha_response: solution })
const register = (email: string, solution: string | undefined) =>
  send('/api/users', { email, password: goodPassword }, solution)
const logIn = (email: string, solution: string | undefined, password = goodPassword) =>
  send('/api/auth/token', { email, password }, solution)

type Door = { name: string; knock: (solution: string | undefined) => ReturnType<typeof logIn> }
const doorsThatCreate: Door[] = [
  { name: 'registering', knock: (solution) => register(newEmail(), solution) },
  {
    name: 'a sign-in link',
    knock: (solution) => send('/api/auth/magic_link', { email: newEmail() }, solution),
  },
  {
    name: 'a password reset',
    knock: (solution) => send('/api/auth/password_reset', { email: newEmail() }, solution),
  },
]
let email: string
const doors: Door[] = [
  { name: 'logging in', knock: (solution) => logIn(email, solution) },
  ...doorsThatCreate,
]
beforeAll(async () => {
  email = newEmail()
  expect((await register(email, captcha.solve())).status).toBe(200)
})

it.each(doors)(
  'with a captcha, $name accepts a solution once and no other, and sends the client address to the provider',
  async ({ knock }) => {
    const solution = captcha.solve()
    expect((await knock(solution)).status).toBe(200)
    expect(captcha.asked.at(-1)?.get('remoteip')).toBe('127.0.0.1')
    for (const refused of [solution, undefined, 'invented']) {
      const answer = await knock(refused)
      expect([answer.status, answer.json()['code']]).toEqual([400, 'wrong_captcha']) // T15
    }
  },
)

describe('a refused captcha', () => {
  it.each([
    { solution: 'an empty', make: () => '' },
    { solution: 'another site’s', make: () => captcha.solve('evil.example') },
    { solution: 'a longer site’s', make: () => captcha.solve('localhost.evil.example') },
    { solution: 'an endless', make: () => 'a'.repeat(10_000) },
  ])('a refused captcha is $solution solution', async ({ make }) => {
    const answer = await logIn(email, make())
    expect([answer.status, answer.json()['code']]).toEqual([400, 'wrong_captcha'])
  })

  it('a refused captcha has no effect', async () => {
    const stranger = newEmail()
    await register(stranger, 'invented')
    await send('/api/auth/password_reset', { email }, 'invented')
    await service.settle()

    expect((await logIn(stranger, captcha.solve())).status).toBe(401)
    expect(service.mailsTo(stranger)).toEqual([])
    expect(service.mailsTo(email).map(({ subject }) => subject)).toEqual([
      'Confirm your email address',
    ])
  })
})

describe.each(['fail', 'hang', 'babble'] as const)(
  'during an outage of the captcha provider (%s)',
  (mode) => {
    beforeEach(() => captcha.behave(mode))

    it('registration and mail requests are refused', async () => {
      const answers = await Promise.all(doorsThatCreate.map(({ knock }) => knock(captcha.solve())))
      for (const { status, headers } of answers) {
        expect(status).toBe(503)
        expect(headers.get('retry-after')).toMatch(/^\d+$/)
      }
    })

    it('logins work, with 3 failed attempts instead of 10', async () => {
      stopTheClock()
      expect((await logIn(email, captcha.solve())).status).toBe(200)
      const guesses = Array.from({ length: 5 }, () => logIn(email, captcha.solve(), 'wrong one'))
      const answers = await Promise.all(guesses)
      expect(answers.map(({ status }) => status).sort()).toEqual([401, 401, 401, 429, 429])
    })
  },
)
