import { afterAll, expect, it } from 'vitest'
import { as, register, type Tokens } from './support/people.ts'
import { authenticator, type Enabled } from './support/second-factor.ts'
import { testService } from './support/service.ts'

const service = await testService()
afterAll(() => service.close())

type Answered = { access_token: string | null; requires_2fa: string | null }

const start = async (body: object, headers: Record<string, string> = {}) => {
  const answer = await service.post('/session', body, { headers })
  const [cookie = ''] = (answer.headers.get('set-cookie') ?? '').split(';')
  return { answer, cookie, tokens: answer.json<Answered & { error?: string }>() }
}
const token = (cookie: string) => service.post('/session/token', undefined, { headers: { cookie } })
const refresh = ({ refresh_token }: Tokens) =>
  service.post('/api/auth/token/refresh', { refresh_token })

it('goes on with a refresh token, in a cookie that no script reads', async () => {
  const { tokens } = await register(service)
  const { answer, cookie } = await start({ refresh_token: tokens.refresh_token })
  expect(answer.headers.get('set-cookie')).toMatch(
    /^__Host-svc_web=ws_.*; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  )
  const { access_token } = (await token(cookie)).json<Answered>()
  const me = await as(service, { access_token: access_token ?? '' }).get('/api/account')
  expect(me.status).toBe(200)
})

it('leaves the token of a partner good', async () => {
  const { tokens } = await register(service)
  await start({ refresh_token: tokens.refresh_token })
  expect((await refresh(tokens)).status).toBe(200)
})

it('ends the session behind a token that it takes over, and no other', async () => {
  const { tokens, email, password } = await register(service)
  const other = (await service.post('/api/auth/token', { email, password })).json<Tokens>()
  const { answer, cookie } = await start({ refresh_token: tokens.refresh_token, take_over: true })
  expect(answer.status).toBe(200)
  expect((await refresh(tokens)).status).toBe(401)
  expect((await as(service, tokens).get('/api/account')).status).toBe(401)
  expect((await refresh(other)).status).toBe(200)
  expect((await token(cookie)).json<Answered>().access_token).toMatch(/^ey/)
})

it('tells who is not signed in that nobody is, without an error', async () => {
  const answer = await token('__Host-svc_web=ws_nothing')
  expect(answer.status).toBe(200)
  expect(answer.json()).toEqual({ access_token: null, requires_2fa: null })
})

it('is over after signing out', async () => {
  const { tokens } = await register(service)
  const { cookie } = await start({ refresh_token: tokens.refresh_token })
  await service.delete('/session', { headers: { cookie } })
  expect((await token(cookie)).json<Answered>().access_token).toBeNull()
})

it('takes no token that still owes a code, whoever takes it over', async () => {
  const person = await register(service)
  const enabled = await person.post('/api/account/2fa', { provider: 'AuthenticatorApp' })
  const app = authenticator(service, enabled.json<Enabled>().ga_secret)
  await person.post('/api/account/2fa/confirm', { code: app.code() })
  const { email, password } = person
  const pending = (await service.post('/api/auth/token', { email, password })).json<Tokens>()
  const { answer } = await start({ refresh_token: pending.refresh_token, take_over: true })
  expect(answer.status).toBe(401)
})

it('is for our own pages alone', async () => {
  const { tokens } = await register(service)
  const body = { refresh_token: tokens.refresh_token, take_over: true }
  const { answer } = await start(body, { 'sec-fetch-site': 'same-site' })
  expect(answer.status).toBe(403)
  expect((await refresh(tokens)).status).toBe(200)
})
