import { expect, it } from 'vitest'
import {
  goodPassword,
  logIn,
  newEmail,
  type Person,
  press,
  register,
  registerAs,
} from '../../../../test/support/people.ts'
import { sharedMailedService } from '../../../../test/support/shared-service.ts'

const service = await sharedMailedService()

it('the profile shows whether the account has a password', async () => {
  for (const [password, has_password] of [
    ['a password beyond guessing', true],
    [null, false],
  ] as const) {
    const person = await register(service, { password })
    expect((await person.get('/api/account')).json()).toMatchObject({ has_password })
  }
})

it('the profile shows a new email address as pending_email until it is confirmed, replaced, cancelled or expired', async () => {
  const admin = await registerAs(service, 'Admin')
  const anna = await register(service)
  await press(service, await service.linkTo(anna.email))
  type UserEmails = { email: string; pending_email: string | null }
  const pending = async (person: Pick<Person, 'get'> = anna) => {
    const { user } = (await person.get('/api/account')).json<{ user: UserEmails }>()
    const view = (await admin.get(`/api/users/${anna.id}`)).json<UserEmails>()
    expect(view.pending_email).toBe(user.pending_email)
    return user.pending_email
  }
  const ask = async (email: string) => {
    const body = { email, current_password: goodPassword }
    return (await anna.patch('/api/account', body)).json<{ user: UserEmails }>().user
  }
  expect(await pending()).toBeNull()
  const [first, second] = [newEmail(), newEmail()]
  expect(await ask(first)).toMatchObject({ email: anna.email, pending_email: first })
  await ask(second)
  expect(await pending()).toBe(second)
  // Lists of accounts and keys without the scope do not show it.
  const [listedUser] = (await admin.get(`/api/users?q=${anna.id}`)).json<{ data: object[] }>().data
  expect(listedUser).not.toHaveProperty('pending_email')
  const response = await anna.post('/api/api_keys', { name: 'k', scopes: ['emoji::transfer'] })
  const headers = { 'x-api-key': response.json<{ api_key: string }>().api_key }
  const byKey = (await service.get('/api/account', { headers })).json<{ user: UserEmails }>()
  expect(byKey.user.pending_email).toBeNull()

  // A new password voids the link.
  const passwordChange = { password: `${goodPassword} again`, current_password: goodPassword }
  const { token_response } = (await anna.patch('/api/account', passwordChange)).json<{
    token_response: Person['tokens']
  }>()
  expect(token_response).toBeTruthy()
  const returnedPerson = await logIn(service, {
    email: anna.email,
    password: passwordChange.password,
  })
  expect(await pending(returnedPerson)).toBeNull()

  const third = newEmail()
  await returnedPerson.patch('/api/account', {
    email: third,
    current_password: passwordChange.password,
  })
  expect(await pending(returnedPerson)).toBe(third)
  expect((await press(service, await service.linkTo(third))).status).toBe(200)
  const movedPerson = await logIn(service, { email: third, password: passwordChange.password })
  expect(await pending(movedPerson)).toBeNull()
  await movedPerson.patch('/api/account', {
    email: first,
    current_password: passwordChange.password,
  })
  expect(await pending(movedPerson)).toBe(first)
  // A day later.
  await service.db
    .updateTable('links')
    .set({ expires_at: service.clock.now() })
    .where('user_id', '=', anna.id)
    .execute()
  expect(await pending(movedPerson)).toBeNull()
})
