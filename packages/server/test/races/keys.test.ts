import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Person, register } from '../support/people.ts'
import { keyPair } from '../support/schnorr.ts'
import { type TestService, testService } from '../support/service.ts'

let service: TestService
/** Another process on the same data. */
let second: TestService
beforeAll(async () => {
  service = await testService()
  second = await testService({ databaseUrl: String(service.database?.url) })
})
afterAll(async () => {
  await second.close()
  await service.close()
})

/** Somebody with so many keys; the first is made at registration. */
const personWith = async (count: number): Promise<Person> => {
  const person = await register(service, { password: null })
  await service.db
    .insertInto('keys')
    .values(
      Array.from({ length: count - 1 }, () => ({
        ...{ pubkey: keyPair().pubkey, user_id: person.id, organization_id: null },
        ...{ sealed_private_key: null, proven_at: null, created_at: new Date() },
      })),
    )
    .execute()
  return person
}

it('of many who list, make and prove keys at once, a hundred are kept', async () => {
  const person = await personWith(95)
  const headers = { authorization: `Bearer ${person.tokens.access_token}` }
  const works: ((at: TestService) => ReturnType<TestService['get']>)[] = [
    (at) => at.post(`/api/pubkeys/${keyPair().pubkey}`, undefined, { headers }),
    (at) => at.post('/api/pubkeys', undefined, { headers }),
    (at) => {
      const { pubkey, sign } = keyPair()
      const text = `The key ${pubkey} belongs to the account ${person.id}.`
      const proof = sign('emojid/pubkey-proof/v1', text)
      return at.post(`/api/pubkeys/${pubkey}/prove`, proof, { headers })
    },
  ]
  const answers = await Promise.all(
    Array.from({ length: 24 }, (_, n) => works[n % 3]?.(n % 2 ? service : second)),
  )
  const statuses = answers.map((answer) => answer?.status ?? 0).toSorted()
  expect(statuses).toEqual([...Array(5).fill(200), ...Array(19).fill(422)])
  expect((await person.get('/api/pubkeys')).json()).toHaveLength(100)
})
