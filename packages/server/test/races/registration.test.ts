import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { goodPassword, type MailedService, newEmail, register, submit } from '../support/people.ts'
import { fromOwnAddress, sharedMailedService } from '../support/shared-service.ts'

let service: MailedService
beforeAll(async () => {
  service = await sharedMailedService()
})

const alternately = (text: string, nth: number) => {
  const [local = '', domain = ''] = text.split('@')
  const spellings = [text, text.toUpperCase(), `${local.toUpperCase()}@${domain}`]
  return [...spellings, `${local}@${domain.toUpperCase()}`][nth % 4] ?? text
}

describe('of 8 concurrent registrations of one name', () => {
  it.each([
    {
      name: 'an address in different case',
      field: 'email',
      bodyOf: (email: string, nth: number) => ({ email: alternately(email, nth) }),
    },
    {
      name: 'an address with a password',
      field: 'email',
      bodyOf: (email: string, nth: number) => ({
        email: alternately(email, nth),
        password: `${goodPassword} ${nth}`,
      }),
    },
    {
      name: 'an alternate id',
      field: 'alternate_id',
      bodyOf: (_email: string, nth: number, alternate_id: string) => ({
        alternate_id,
        source: 'test',
        password: `${goodPassword} ${nth}`,
      }),
    },
  ])('exactly one succeeds: $name', async ({ field, bodyOf }) => {
    const [email, alternate_id] = [newEmail(), randomUUID()]
    const bodies = Array.from({ length: 8 }, (_, nth) => bodyOf(email, nth, alternate_id))
    // Refusals of one test leave the limit of the next one alone.
    const { post } = fromOwnAddress(service)
    const answers = await Promise.all(bodies.map((body) => post('/api/users', body)))
    const refusals = answers.filter(({ status }) => status !== 200)
    await service.settle()

    expect(refusals).toHaveLength(7) // T08
    for (const answer of refusals) {
      expect(answer.status).toBe(422)
      expect(answer.json()).toMatchObject({ fields: { [field]: [{ code: 'uniqueness' }] } })
    }
    const mails = service.sink.received.flatMap(({ envelope }) => envelope.to)
    const own = mails.filter((address) => address.toLowerCase() === email)
    expect(own).toHaveLength(field === 'email' ? 1 : 0)
    const winner = bodies[answers.findIndex(({ status }) => status === 200)]
    if (winner && 'password' in winner) {
      expect((await service.post('/api/auth/token', winner)).status).toBe(200)
    }
  })
})

/** A user with the confirmation mail for an address. */
async function onTheirWayTo(email: string, mails = 1) {
  const { id, patch } = await register(service, { password: null })
  expect((await patch('/api/account', { email })).status).toBe(200)
  const [, token = ''] = /token=([\w-]+)/.exec(await service.linkTo(email, mails)) ?? []
  return { id, confirm: () => submit(service, '/auth/change_email', { token }) }
}
const holders = async (email: string) => {
  const matchingRows = service.db.selectFrom('users').select('id').where('email', '=', email)
  return (await matchingRows.execute()).map(({ id }) => id)
}

describe('an address that several users confirm at once', () => {
  it('goes to one of them; the others keep theirs and see that their link is void', async () => {
    const email = newEmail()
    const people = []
    for (const mails of [1, 2, 3, 4]) people.push(await onTheirWayTo(email, mails))
    const answers = await Promise.all(people.map(({ confirm }) => confirm()))
    const winner = people[answers.findIndex(({ status }) => status === 200)]

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422])
    expect(await holders(email)).toEqual([winner?.id])
    const ids = people.map(({ id }) => id)
    const matchingRows = service.db.selectFrom('users').select('email').where('id', 'in', ids)
    expect(new Set((await matchingRows.execute()).map((user) => user.email)).size).toBe(4)
  })

  it('goes to one, also when a user registers with it meanwhile', async () => {
    const email = newEmail()
    const { confirm } = await onTheirWayTo(email)
    const [changeAnswer, registrationAnswer] = await Promise.all([
      confirm(),
      service.post('/api/users', { email }),
    ])
    expect([changeAnswer.status, registrationAnswer.status].sort()).toEqual([200, 422])
    expect(await holders(email)).toHaveLength(1)
  })
})
