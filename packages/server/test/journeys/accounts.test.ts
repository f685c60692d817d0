import { beforeAll, describe, expect, it } from 'vitest'
import {
  callsWith,
  goodPassword,
  logIn,
  type MailedService,
  newEmail,
  press,
  register,
  submit,
  type Tokens,
} from '../support/people.ts'
import { sharedMailedService } from '../support/shared-service.ts'

let service: MailedService
beforeAll(async () => {
  service = await sharedMailedService()
})

describe('an account with email address and password', () => {
  it('registers, confirms its address from the email, signs in, refreshes, signs out', async () => {
    const anna = await register(service, { first_name: 'Anna' })
    const before = (await anna.get('/api/account')).json<{ user: Record<string, unknown> }>()
    expect(before.user).toMatchObject({
      first_name: 'Anna',
      email_verified_at: null,
      free_limit: 0,
    })

    const page = await press(service, await service.linkTo(anna.email))
    expect(page.status).toBe(200)
    expect(page.headers.get('set-cookie')).toBeNull()
    const after = (await anna.get('/api/account')).json<{ user: Record<string, unknown> }>()
    expect(after.user['email_verified_at']).toEqual(expect.any(String))

    const session = await logIn(service, {
      email: anna.email.toUpperCase(),
      password: goodPassword,
    })
    const { refresh_token } = session.tokens
    const next = await service.post('/api/auth/token/refresh', { refresh_token })
    expect(next.status).toBe(200)
    const refreshedPerson = callsWith(service, next.json<Tokens>())
    expect((await refreshedPerson.get('/api/account')).status).toBe(200)

    expect((await refreshedPerson.post('/api/logout')).json()).toEqual({})
    expect((await anna.get('/api/account')).status).toBe(401)
  })
})

describe('an account with an email address alone', () => {
  it('signs in by link, sets a first password, and signs in with it afterwards', async () => {
    const email = newEmail()
    await register(service, { email, password: null })
    const choose = await press(service, await service.linkTo(email))
    const token = /name="token" value="([^"]+)"/.exec(choose.body)?.[1] ?? ''

    const weak = await submit(service, '/auth/first_password', { token, password: 'password123' })
    expect(weak.status).toBe(422)
    expect(weak.body).toContain('This password is too common')

    const set = await submit(service, '/auth/first_password', { token, password: goodPassword })
    expect(set.status).toBe(303)
    const place = new URL(set.headers.get('location') ?? '')
    expect(place.origin).toBe('http://localhost:3000')
    const code = place.searchParams.get('code') ?? ''
    const exchangedAnswer = await service.post('/api/auth/exchange', { code })
    expect(exchangedAnswer.json<Tokens>()).toMatchObject({ has_password: true })
    expect((await service.post('/api/auth/exchange', { code })).status).toBe(401)
    await logIn(service, { email, password: goodPassword })
  })

  it('continues without a password, and sets one over the API within 15 minutes', async () => {
    const email = newEmail()
    await register(service, { email, password: null })
    const choose = await press(service, await service.linkTo(email))
    const token = /name="token" value="([^"]+)"/.exec(choose.body)?.[1] ?? ''
    const skipAnswer = await submit(service, '/auth/first_password/skip', { token })
    const code = new URL(skipAnswer.headers.get('location') ?? '').searchParams.get('code')
    const tokens = (await service.post('/api/auth/exchange', { code })).json<Tokens>()

    const changeAnswer = await callsWith(service, tokens).patch('/api/account', {
      password: goodPassword,
    })
    expect(changeAnswer.status).toBe(200)
    const { token_response } = changeAnswer.json<{ token_response: Tokens }>()
    expect((await callsWith(service, token_response).get('/api/account')).status).toBe(200)
    expect((await callsWith(service, tokens).get('/api/account')).status).toBe(401)
  })
})

describe('a forgotten password', () => {
  it('a forgotten password is reset through an emailed link, which ends every session', async () => {
    const bea = await register(service)
    const requestResponse = await service.post('/api/auth/password_reset', { email: bea.email })
    expect(requestResponse.json()).toMatchObject({ status: 'Active' })
    const password = 'another one hard to guess'
    const page = await press(service, await service.linkTo(bea.email, 2), undefined, { password })

    expect(page.status).toBe(200)
    expect((await bea.get('/api/account')).status).toBe(401)
    const old = await service.post('/api/auth/token', { email: bea.email, password: bea.password })
    expect(old.status).toBe(401)
    await logIn(service, { email: bea.email, password })
  })
})
