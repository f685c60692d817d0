import { expect, it } from 'vitest'
import { confirmedUser, goodPassword, newcomer, registerAs } from '../support/people.ts'
import { sharedMailedService } from '../support/shared-service.ts'

it('a deactivated person learns the reason by email, while the sign-in reveals nothing (T01)', async () => {
  const service = await sharedMailedService()
  const admin = await registerAs(service, 'Admin')
  const anna = await confirmedUser(service, { password: goodPassword })
  const unconfirmedPerson = await newcomer(service, { password: goodPassword })
  const reason = 'Spam from https://evil.example'
  for (const { id } of [anna, unconfirmedPerson, anna]) {
    const answer = await admin.post(`/api/admin/users/${id}/deactivate`, { reason })
    expect(answer.status).toBe(200)
  }
  await service.settle()
  const subject = 'Your account was deactivated'
  const mails = service.mailsTo(anna.email).filter((mail) => mail.subject === subject)
  expect(mails).toHaveLength(1)
  expect(mails[0]?.text).toContain('The reason: “Spam from …”')
  expect(mails[0]?.text).toContain('write to')
  expect(service.mailsTo(unconfirmedPerson.email)).toEqual([])
  const { email } = anna
  const answer = await service.post('/api/auth/token', { email, password: goodPassword })
  expect([answer.status, answer.json()['code']]).toEqual([401, 'wrong_credentials'])
})
