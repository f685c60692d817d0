import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type MailedService, mailedService, newEmail, register, submit } from '../support/people.ts'

let service: MailedService
beforeAll(async () => {
  service = await mailedService()
})
afterAll(() => service.close())

/** Somebody who has the mail that makes an address theirs. */
async function onTheirWayTo(email: string, mails = 1) {
  const { id, patch } = await register(service, { password: null })
  expect((await patch('/api/account', { email })).status).toBe(200)
  const [, token = ''] = /token=([\w-]+)/.exec(await service.linkTo(email, mails)) ?? []
  return { id, confirm: () => submit(service, '/auth/change_email', { token }) }
}
const holders = async (email: string) => {
  const found = service.db.selectFrom('users').select('id').where('email', '=', email)
  return (await found.execute()).map(({ id }) => id)
}

describe('an address that several confirm at once', () => {
  it('goes to one of them; the others are told that their link is gone', async () => {
    const email = newEmail()
    const people = []
    for (const mails of [1, 2, 3, 4]) people.push(await onTheirWayTo(email, mails))
    const answers = await Promise.all(people.map(({ confirm }) => confirm()))
    const winner = people[answers.findIndex(({ status }) => status === 200)]

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422])
    expect(await holders(email)).toEqual([winner?.id])
  })

  it('goes to one, also when somebody registers with it meanwhile', async () => {
    for (let round = 0; round < 5; round++) {
      const email = newEmail()
      const { confirm } = await onTheirWayTo(email)
      const [changed, registered] = await Promise.all([
        confirm(),
        service.post('/api/users', { email }),
      ])
      expect([changed.status, registered.status].sort()).toEqual([200, 422])
      expect(await holders(email)).toHaveLength(1)
    }
  })
})
