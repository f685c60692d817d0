import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type Application,
  adminAtAnyTime,
  chooseId,
  newApplication,
  signInAtApplication,
} from '../../../../test/support/applications.ts'
import { grant } from '../../../../test/support/ids.ts'
import {
  bearer,
  callsWith,
  newcomer,
  type Person,
  type Tokens,
} from '../../../../test/support/people.ts'
import { type TestService, testService } from '../../../../test/support/service.ts'
import { dayMs } from '../../../platform/time.ts'
import { purgeGrants } from './grants.ts'

let service: TestService
let admin: Person
let application: Application
beforeAll(async () => {
  service = await testService()
  admin = await adminAtAnyTime(service)
  application = await newApplication(service, admin)
})
afterAll(() => service.close())

type GrantItem = { client_id: string; name: string; emoji_id: string; last_used_at: string }
const list = async (person: Pick<Person, 'get'>) =>
  (await person.get('/api/account/applications')).json<GrantItem[]>()
const leave = (person: Pick<Person, 'delete'>, client_id = application.client_id) =>
  person.delete(`/api/account/applications/${client_id}`)
const see = async (access_token: string) =>
  (await service.get('/api/emoji_id', bearer(access_token))).status

describe('the list of connected applications', () => {
  it('the list of connected applications shows the id of each and sorts by last use', async () => {
    const logo = 'https://pictures.example/crab.png'
    const other = await newApplication(service, admin, { name: 'Crab Shop', logo })
    const { person, id, browser, tokens } = await signInAtApplication(service, admin, application)
    service.clock.advance(1_000)
    const second = await grant(admin, { user_id: person.id })
    await other.exchange(await chooseId(browser, other, second))
    const times = { created_at: expect.any(String), last_used_at: expect.any(String) }
    const [first, shop] = [
      { client_id: application.client_id, name: 'Crab Chat', logo: null, emoji_id: id, ...times },
      { client_id: other.client_id, name: 'Crab Shop', logo, emoji_id: second, ...times },
    ]
    expect(await list(person)).toEqual([shop, first])
    service.clock.advance(1_000)
    await application.refresh(tokens.refresh_token)
    expect(await list(person)).toEqual([first, shop])
  })

  it('holds only the grants of the user', async () => {
    const [one, other] = [
      await signInAtApplication(service, admin, application),
      await signInAtApplication(service, admin, application),
    ]
    expect((await list(one.person)).map(({ emoji_id }) => emoji_id)).toEqual([one.id])
    expect((await leave(other.person)).status).toBe(200)
    expect(await list(one.person)).toHaveLength(1)
    expect(await see(one.tokens.access_token)).toBe(200)
  })

  it('revokes the tokens of an application that the user leaves', async () => {
    const { person, tokens, browser, id } = await signInAtApplication(service, admin, application)
    const secondAnswer = await application.exchange(await chooseId(browser, application, id))
    expect(await list(person)).toHaveLength(1)
    const leaveAnswer = await leave(person)
    expect([leaveAnswer.status, leaveAnswer.json()]).toEqual([200, {}])
    expect(await list(person)).toEqual([])
    for (const { access_token, refresh_token } of [tokens, secondAnswer.json<Tokens>()]) {
      expect(await see(access_token)).toBe(401)
      expect((await application.refresh(refresh_token)).status).toBe(400)
    }
    expect((await leave(person)).status).toBe(404)
    const returnAnswer = await application.exchange(await chooseId(browser, application, id))
    expect(returnAnswer.status).toBe(200)
    expect(await list(person)).toHaveLength(1)
  })

  it('the list of connected applications is empty after a sign-out and for a new account', async () => {
    const { person } = await signInAtApplication(service, admin, application)
    await person.post('/api/logout')
    const { email, password } = person
    const login = await service.post('/api/auth/token', { email, password })
    expect(await list(callsWith(service, login.json<Tokens>()))).toEqual([])
    expect(await list(await newcomer(service))).toEqual([])
  })

  it.each(['unknown', '%F0%9F%A6%80', "'%20or%201=1--", 'x'.repeat(100)])(
    'rejects leaving the unknown application %s',
    async (client_id) => {
      const { person } = await signInAtApplication(service, admin, application)
      const answer = await leave(person, client_id)
      expect([answer.status, answer.json()['code']]).toEqual([404, 'unknown_application'])
      expect(await list(person)).toHaveLength(1)
    },
  )

  it('rejects a client id that is too long or malformed', async () => {
    const person = await newcomer(service)
    for (const client_id of ['x'.repeat(101), '%00', '%ff']) {
      expect((await leave(person, client_id)).status).toBe(400)
    }
  })

  it('revokes all grants of a deleted account', async () => {
    const { person, tokens, id } = await signInAtApplication(service, admin, application)
    await person.delete(`/api/emoji_id/${encodeURIComponent(id)}`)
    expect((await person.delete(`/api/users/${person.id}`)).status).toBe(200)
    expect(await see(tokens.access_token)).toBe(401)
    expect((await application.refresh(tokens.refresh_token)).status).toBe(400)
  })
})

describe('the purge of grants', () => {
  it('removes ended grants after a day and keeps open ones', async () => {
    const [open, formerGrant] = [
      await signInAtApplication(service, admin, application),
      await signInAtApplication(service, admin, application),
    ]
    await leave(formerGrant.person)
    const rows = async ({ person }: typeof open) => {
      const grants = service.db.selectFrom('oauth_grants').select('id')
      return (await grants.where('user_id', '=', person.id).execute()).length
    }
    service.clock.advance(dayMs + 120_000)
    expect([await rows(open), await rows(formerGrant)]).toEqual([1, 1])
    await purgeGrants(service.db, service.clock.now())
    expect([await rows(open), await rows(formerGrant)]).toEqual([1, 0])
    const codes = await service.db.selectFrom('oauth_codes').select('id').execute()
    expect(codes).toEqual([])
    expect((await application.refresh(open.tokens.refresh_token)).status).toBe(200)
    service.clock.advance(181 * dayMs)
    await purgeGrants(service.db, service.clock.now())
    expect(await rows(open)).toBe(0)
  })
})
