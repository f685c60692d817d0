import { beforeAll, describe, expect, it } from 'vitest'
import { goodPassword, newcomer, newEmail, type Person, registerAs } from '../support/people.ts'
import { enableApp, enterCode } from '../support/second-factor.ts'
import type { TestService } from '../support/service.ts'
import { sharedService } from '../support/shared-service.ts'

let service: TestService
let admin: Person
beforeAll(async () => {
  service = await sharedService()
  admin = await registerAs(service, 'Admin')
})

const emoji = ['🌙', '🍎', '🍕', '🎸', '🎲', '🐝', '🐢', '🌵']
/** A user with an id, and the path of that id. */
async function owner() {
  const person = await newcomer(service, { password: goodPassword })
  const emoji_id = `🦀🚀${emoji.shift()}`
  const grantAnswer = await admin.post('/api/admin/emoji_ids', { emoji_id, user_id: person.id })
  expect(grantAnswer.status).toBe(200)
  return { person, path: `/api/emoji_id/${encodeURIComponent(emoji_id)}` }
}
const keyOf = async (person: Pick<Person, 'post'>, body: object = {}) => {
  const keyResponse = await person.post('/api/api_keys', { name: 'a key', ...body })
  expect(keyResponse.status).toBe(200)
  const { id, api_key } = keyResponse.json<{ id: string; api_key: string }>()
  const headers = { 'x-api-key': api_key }
  const call = (method: string) => (path: string, body?: unknown) =>
    service.call(method, path, { headers, body })
  return {
    id,
    get: call('GET'),
    post: call('POST'),
    patch: call('PATCH'),
    delete: call('DELETE'),
  }
}
type Key = Awaited<ReturnType<typeof keyOf>>

let writtenCount = 0
const writes: Record<string, (key: Key, path: string) => ReturnType<TestService['get']>> = {
  'a record': (key, path) => {
    const insert = [{ tag: '0x0002', data: `Text ${writtenCount++}` }]
    return key.patch(path, { insert, bypass_single_restrictions: true })
  },
  'a store entry with linked records': (key, path) => {
    const linked_tags = [{ tag: '0x0005', data: `Title ${writtenCount++}` }]
    return key.post(`${path}/json/SvcPageData`, { data: {}, linked_tags })
  },
}
const attempt = async (key: Key, path: string) => {
  const answers = []
  for (const write of Object.values(writes)) {
    const answer = await write(key, path)
    answers.push(answer.status === 403 ? answer.json()['code'] : answer.status)
  }
  return answers
}

describe('a key of a user with a second factor', () => {
  it('made with a code writes records and store entries without time limit', async () => {
    const { person, path } = await owner()
    await enableApp(service, person)
    const key = await keyOf(person)
    expect(await attempt(key, path)).toEqual([200, 200])
    await service.db
      .updateTable('sessions')
      .set({ second_factor_at: new Date(0) })
      .where('user_id', '=', person.id)
      .execute()
    expect((await person.patch(path, { insert: [] })).status).toBe(424)
    expect(await attempt(key, path)).toEqual([200, 200])
  })

  it('a key of a user with a second factor is refused every other sensitive operation, without any change', async () => {
    const { person, path } = await owner()
    await enableApp(service, person)
    const key = await keyOf(person)
    const readState = async () => [
      (await person.get('/api/account')).json(),
      (await person.get('/api/api_keys')).json(),
      (await person.get('/api/emoji_id')).json(),
    ]
    // The last use is updated at most once a minute.
    await key.get('/api/account')
    const before = await readState()
    const current_password = goodPassword
    const refusals = {
      'make a key': await key.post('/api/api_keys', { name: 'more' }),
      'delete a key': await key.delete(`/api/api_keys/${key.id}`),
      'add a pubkey': await key.post('/api/pubkeys'),
      'release the id': await key.delete(path),
      'delete the account': await key.delete(`/api/users/${person.id}`),
      'another password': await key.patch('/api/account', {
        current_password,
        password: 'quite another password',
      }),
      'another address': await key.patch('/api/account', { current_password, email: newEmail() }),
    }
    for (const [name, answer] of Object.entries(refusals)) {
      expect([name, answer.status, answer.json()]).toMatchObject([
        name,
        403,
        { code: 'not_for_keys' },
      ])
    }
    expect(await readState()).toEqual(before)
    expect((await key.patch('/api/account', { first_name: 'Ada' })).status).toBe(200)
  })

  it('made before the second factor cannot write', async () => {
    const { person, path } = await owner()
    const key = await keyOf(person)
    expect(await attempt(key, path)).toEqual([200, 200])
    const { app } = await enableApp(service, person)
    expect(await attempt(key, path)).toEqual(['not_for_keys', 'not_for_keys'])
    expect((await key.post(`${path}/json/SvcPageData`, { data: {} })).status).toBe(200)
    expect((await key.get('/api/account')).status).toBe(200)

    const later = await keyOf(await enterCode(service, person.tokens, app.next()))
    expect(await attempt(later, path)).toEqual([200, 200])
    service.clock.advance(1_000)
    await enableApp(service, person)
    expect(await attempt(later, path)).toEqual(['not_for_keys', 'not_for_keys'])
  })

  it('a key of a user with a second factor can write again after the second factor is removed', async () => {
    const { person, path } = await owner()
    const key = await keyOf(person)
    await enableApp(service, person)
    expect(await attempt(key, path)).toEqual(['not_for_keys', 'not_for_keys'])
    const removeResponse = await person.post('/api/account/2fa/disable', { disable_all: true })
    expect(removeResponse.status).toBe(200)
    expect(await attempt(key, path)).toEqual([200, 200])
  })

  it('writes only within its scopes, and only for its maker', async () => {
    const [one, other] = [await owner(), await owner()]
    await enableApp(service, one.person)
    const narrow = await keyOf(one.person, { scopes: ['edition:read'] })
    const wide = await keyOf(one.person, { scopes: ['userData:update'] })
    const missing = 'insufficient_scope'
    expect(await attempt(narrow, one.path)).toEqual([missing, missing])
    expect(await attempt(wide, other.path)).toEqual(['not_yours', 'not_yours'])
    expect(await attempt(wide, one.path)).toEqual([200, 200])
  })
})
