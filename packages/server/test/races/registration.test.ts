import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { goodPassword, type MailedService, mailedService, newEmail } from '../support/people.ts'

let service: MailedService
beforeAll(async () => {
  service = await mailedService()
})
afterAll(() => service.close())

const alternately = (text: string, nth: number) => {
  const [local = '', domain = ''] = text.split('@')
  const spellings = [text, text.toUpperCase(), `${local.toUpperCase()}@${domain}`]
  return [...spellings, `${local}@${domain.toUpperCase()}`][nth % 4] ?? text
}

describe('of 30 who register one name at once', () => {
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
        ...{ alternate_id, source: 'test', password: `${goodPassword} ${nth}` },
      }),
    },
  ])('exactly one gets it: $name', async ({ field, bodyOf }) => {
    const [email, alternate_id] = [newEmail(), randomUUID()]
    const bodies = Array.from({ length: 30 }, (_, nth) => bodyOf(email, nth, alternate_id))
    const answers = await Promise.all(bodies.map((body) => service.post('/api/users', body)))
    const refused = answers.filter(({ status }) => status !== 200)
    await service.settle()

    expect(refused).toHaveLength(29) // T08
    for (const answer of refused) {
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
