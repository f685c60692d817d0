import { beforeAll, describe, expect, it } from 'vitest'
import {
  callsWith,
  type MailedService,
  newEmail,
  type Person,
  press,
  register,
  registerAs,
  submit,
  type Tokens,
} from '../support/people.ts'
import { sharedMailedService } from '../support/shared-service.ts'

let service: MailedService
let admin: Person
beforeAll(async () => {
  service = await sharedMailedService()
  admin = await registerAs(service, 'Admin')
})

type Owner = Pick<Person, 'id' | 'delete'>
const deactivate = (person: Owner) =>
  admin.post(`/api/admin/users/${person.id}/deactivate`, { reason: 'stolen' })

const refresh = ({ tokens }: Person) =>
  service.post('/api/auth/token/refresh', { refresh_token: tokens.refresh_token })

const asForm = (link: string, more = {}) => {
  const { pathname, searchParams } = new URL(link, service.address)
  return submit(service, pathname, { ...Object.fromEntries(searchParams), ...more })
}

const exchange = (code: string) => service.post('/api/auth/exchange', { code })

/** Signs in by link and continues without a password, up to the web site's callback. */
async function codeFrom(link: string): Promise<string> {
  const choice = await press(service, link)
  const token = /name="token" value="([^"]+)"/.exec(choice.body)?.[1] ?? ''
  const next = await submit(service, '/auth/first_password/skip', { token })
  return new URL(next.headers.get('location') ?? '').searchParams.get('code') ?? ''
}

describe.each([
  { how: 'deactivated', shutOut: deactivate },
  {
    how: 'deleted by their own request',
    shutOut: (person: Owner) => person.delete(`/api/users/${person.id}`),
  },
])('a user who was $how', ({ shutOut }) => {
  it('a shut-out user is signed out on the next request, with any credential, and gets no email that signs in', async () => {
    const person = await register(service)
    const { email, password } = person
    const confirm = await service.linkTo(email)
    await service.post('/api/auth/password_reset', { email })
    const reset = await service.linkTo(email, 2)
    const keyAnswer = await person.post('/api/api_keys', { name: 'a wallet' })
    const { api_key } = keyAnswer.json<{ api_key: string }>()
    const byKey = () => service.get('/api/account', { headers: { 'x-api-key': api_key } })
    expect((await byKey()).status).toBe(200)
    expect((await shutOut(person)).status).toBe(200)

    expect((await person.get('/api/account')).status).toBe(401) // T13
    expect((await byKey()).status).toBe(401)
    expect((await refresh(person)).status).toBe(401)
    const login = await service.post('/api/auth/token', { email, password })
    expect([login.status, login.json()['code']]).toEqual([401, 'wrong_credentials'])
    for (const link of [confirm, reset]) {
      expect((await service.get(link)).status).toBe(422)
      const useAnswer = await asForm(link, { password: 'something quite new' })
      expect([useAnswer.status, useAnswer.body]).toEqual([
        422,
        expect.stringContaining('This link has expired'),
      ])
    }
    await service.settle()
    const before = service.mailsTo(email).length
    for (const path of ['magic_link', 'password_reset']) {
      expect((await service.post(`/api/auth/${path}`, { email })).status).toBe(200)
    }
    await service.post('/api/auth/magic_link', { user_id: person.id })
    await service.settle()
    expect(service.mailsTo(email)).toHaveLength(before)
  })

  it('a shut-out user cannot sign in by a link or by the code after one', async () => {
    const email = newEmail()
    const { id } = await register(service, { email, password: null })
    const ask = () => service.post('/api/auth/magic_link', { email })
    const tokens = (await exchange(await codeFrom(await service.linkTo(email)))).json<Tokens>()
    await ask()
    const code = await codeFrom(await service.linkTo(email, 2))
    await ask()
    const link = await service.linkTo(email, 3)
    expect((await shutOut({ id, ...callsWith(service, tokens) })).status).toBe(200)

    expect((await exchange(code)).status).toBe(401)
    expect((await service.get(link)).status).toBe(422)
    expect((await asForm(link)).status).toBe(422)
  })
})
