import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { dayMs } from '../../src/platform/time.ts'
import {
  callsWith,
  claimsOf,
  goodPassword,
  logIn,
  newcomer,
  registerAs,
  type Tokens,
} from '../support/people.ts'
import type { TestService } from '../support/service.ts'
import { sharedPair } from '../support/shared-service.ts'
import { stopTheClock } from '../support/stopped-clock.ts'

let service: TestService
/** Another process on the same data. */
let second: TestService
beforeAll(async () => {
  ;({ service, second } = await sharedPair())
})

/** Both processes share one clock. */
const pass = (ms: number) => {
  for (const one of [service, second]) one.clock.advance(ms)
}
const refresh = (refresh_token: string, at = service) =>
  at.post('/api/auth/token/refresh', { refresh_token })
const renew = async (refresh_token: string, at = service) => {
  const answer = await refresh(refresh_token, at)
  expect(answer.status).toBe(200)
  return answer.json<Tokens>()
}
const statusOf = async (tokens: Pick<Tokens, 'access_token'>, at = service) =>
  (await callsWith(at, tokens).get('/api/account')).status
const times = <Result>(count: number, work: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))

/** None of their tokens is valid, at either process. */
async function expectOut(...all: Tokens[]) {
  for (const at of [service, second]) {
    for (const tokens of all) {
      expect(await statusOf(tokens, at)).toBe(401)
      expect((await refresh(tokens.refresh_token, at)).status).toBe(401)
    }
  }
}
const expectIn = async (tokens: Tokens) => {
  expect(await statusOf(tokens, second)).toBe(200)
  expect(await statusOf(await renew(tokens.refresh_token))).toBe(200)
}
/** Without a password there is nothing to hash, which is fast. */
const registerQuickly = () => newcomer(service)
const threeDevices = async () => {
  const person = await newcomer(service, { password: goodPassword })
  const [one, other] = [await logIn(service, person), await logIn(second, person)]
  return { person, devices: [person.tokens, one.tokens, other.tokens] as const }
}

describe('a rotated refresh token', () => {
  it('revokes its family when reused after 60 s, and no other (T31)', async () => {
    const person = await newcomer(service, { password: goodPassword })
    const other = await logIn(service, person)
    const first = person.tokens.refresh_token
    const next = await renew(first)
    expect(next.refresh_token).not.toBe(first)
    pass(61_000)

    expect((await refresh(first)).status).toBe(401)
    await expectOut(next)
    await expectIn(other.tokens)
  })

  it('returns the same successor within 60 s, at any process', async () => {
    stopTheClock()
    const { tokens } = await registerQuickly()
    const next = await renew(tokens.refresh_token)
    pass(55_000)
    const secondTokens = await renew(tokens.refresh_token, second)

    expect(secondTokens.refresh_token).toBe(next.refresh_token)
    await expectIn(next)
  })

  it('revokes its family when reused after its successor was used, at any process and in any place (T31)', async () => {
    const refreshAgain = ({ refresh_token }: Tokens) => refresh(refresh_token, second)
    const visitAgain = ({ refresh_token }: Tokens) =>
      second.post('/api/auth/2fa', { refresh_token, code: '123456' })
    for (const reuse of [refreshAgain, visitAgain]) {
      const { tokens } = await registerQuickly()
      const next = await renew(tokens.refresh_token)
      const after = await renew(next.refresh_token)
      expect((await reuse(tokens)).status).toBe(401)
      await expectOut(next, after)
    }
  })

  it('revokes its family when reused after its successor only came with a code (T31)', async () => {
    const { tokens } = await registerQuickly()
    const next = await renew(tokens.refresh_token)
    const { refresh_token } = next
    await service.post('/api/auth/2fa', { refresh_token, code: '123456' })
    expect((await refresh(tokens.refresh_token)).status).toBe(401)
    await expectOut(next)
  })

  it('a rotated refresh token has one successor for 10 concurrent requests at two processes (T32)', async () => {
    const { tokens } = await registerQuickly()
    const answers = await times(10, (n) => refresh(tokens.refresh_token, n % 2 ? service : second))
    const successors = answers.map((answer) => answer.json<Tokens>().refresh_token)

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(successors).size).toBe(1)
    for (const answer of answers) expect(await statusOf(answer.json<Tokens>())).toBe(200)
    await expectIn(answers[0]?.json() as Tokens)
  })
})

describe('signing out', () => {
  it('signing out ends three devices at once, at two processes (T34)', async () => {
    const { person, devices } = await threeDevices()
    for (const tokens of devices) expect(await statusOf(tokens, second)).toBe(200)

    expect((await callsWith(second, devices[1]).post('/api/logout')).status).toBe(200)
    await expectOut(...devices)
    await logIn(second, person)
  })

  it('during concurrent refreshes leaves no valid session', async () => {
    for (let round = 0; round < 2; round++) {
      const { tokens, post } = await registerQuickly()
      const logout = sleep(round).then(() => post('/api/logout'))
      const answers = await times(6, (n) => refresh(tokens.refresh_token, n % 2 ? service : second))
      expect((await logout).status).toBe(200)

      expect(answers.filter(({ status }) => status !== 200 && status !== 401)).toEqual([])
      const renewalAnswers = answers.filter(({ status }) => status === 200)
      await expectOut(tokens, ...renewalAnswers.map((answer) => answer.json<Tokens>()))
    }
  })
})

describe('a loss of rights applies to the next request (T39)', () => {
  it('a new password ends every other device, and the one that set it continues', async () => {
    const { person, devices } = await threeDevices()
    const password = 'another one hard to guess'
    const changeAnswer = await person.patch('/api/account', {
      password,
      current_password: person.password,
    })

    expect(changeAnswer.status).toBe(200)
    await expectOut(...devices)
    await expectIn(changeAnswer.json<{ token_response: Tokens }>().token_response)
  })

  it('a concurrent login with the old password does not stay signed in', async () => {
    const person = await newcomer(service, { password: goodPassword })
    const { email, password } = person
    let isChanging = true
    const grantedTokens: Tokens[] = []
    const keepLoggingIn = async () => {
      while (isChanging) {
        const answer = await second.post('/api/auth/token', { email, password })
        if (answer.status === 200) grantedTokens.push(answer.json<Tokens>())
      }
    }
    const lanes = times(3, keepLoggingIn)
    while (grantedTokens.length === 0) await sleep(5)
    const change = { password: 'a new one hard to guess', current_password: password }
    const changeAnswer = await person.patch('/api/account', change)
    isChanging = false
    await lanes

    expect(changeAnswer.status).toBe(200)
    await expectOut(...grantedTokens)
  })

  it('a lowered role applies, also at the other process', async () => {
    const [boss, demotedPerson] = [
      await registerAs(service, 'Super'),
      await registerAs(service, 'Admin'),
    ]
    const list = async (at: TestService) =>
      (await callsWith(at, demotedPerson.tokens).get('/api/users')).status
    expect([await list(service), await list(second)]).toEqual([200, 200])
    expect((await boss.patch(`/api/users/${demotedPerson.id}`, { role: 'User' })).status).toBe(200)

    expect([await list(service), await list(second)]).toEqual([403, 403])
    expect(await statusOf(demotedPerson.tokens)).toBe(200)
  })
})

describe('the list of sessions', () => {
  type Session = { id: string; current: boolean }
  const sessionsOf = async (tokens: Tokens) =>
    (await callsWith(service, tokens).get('/api/account/sessions')).json<Session[]>()
  const idOf = ({ access_token }: Tokens) => claimsOf(access_token)['sid'] ?? ''

  it('the list of sessions ends one immediately, and the others stay', async () => {
    const { devices } = await threeDevices()
    const [ownTokens, lostTokens, other] = devices
    const before = await sessionsOf(ownTokens)
    const endAnswer = await callsWith(service, ownTokens).delete(
      `/api/account/sessions/${idOf(lostTokens)}`,
    )

    expect(before.map(({ id }) => id).sort()).toEqual(devices.map(idOf).sort())
    expect(before.filter(({ current }) => current).map(({ id }) => id)).toEqual([idOf(ownTokens)])
    expect(endAnswer.json()).toEqual({})
    await expectOut(lostTokens)
    expect((await sessionsOf(other)).map(({ id }) => id)).not.toContain(idOf(lostTokens))
    await expectIn(ownTokens)
    await expectIn(other)
  })

  it('the list of sessions ends all but the current one, also during refreshes', async () => {
    const { devices } = await threeDevices()
    const [ownTokens, ...others] = devices
    const [endAnswer, ...renewalAnswers] = await Promise.all([
      callsWith(service, ownTokens).delete('/api/account/sessions'),
      ...others.map(({ refresh_token }) => refresh(refresh_token, second)),
    ])

    expect(endAnswer.status).toBe(200)
    const wonAnswers = renewalAnswers.filter(({ status }) => status === 200)
    await expectOut(...others, ...wonAnswers.map((answer) => answer.json<Tokens>()))
    expect((await sessionsOf(ownTokens)).map(({ id }) => id)).toEqual([idOf(ownTokens)])
    await expectIn(ownTokens)
  })

  it('the list of sessions has 100 sessions at most: concurrent logins end those that were not used for longest', async () => {
    const { person, devices } = await threeDevices()
    const [ownTokens, lostTokens, partnerTokens] = devices
    const sessionRows = service.db.selectFrom('sessions').where('user_id', '=', person.id)
    const { id: _id, ...row } = await sessionRows
      .selectAll()
      .where('id', '=', idOf(ownTokens))
      .executeTakeFirstOrThrow()
    const ago = (minutes: number) => new Date(row.last_used_at.getTime() - minutes * 60_000)
    const olderRows = Array.from({ length: 120 }, (_, n) => ({ ...row, last_used_at: ago(n + 1) }))
    const continuing = { ...row, parent_id: idOf(partnerTokens) }
    await service.db
      .insertInto('sessions')
      .values([...olderRows, continuing])
      .execute()
    await service.db
      .updateTable('sessions')
      .set({ last_used_at: ago(1_000) })
      .where('id', 'in', [lostTokens, partnerTokens].map(idOf))
      .execute()

    expect(await sessionsOf(ownTokens)).toHaveLength(100)
    const logins = await times(4, (n) => logIn(n % 2 ? service : second, person))
    const open = await sessionRows
      .select(['id', 'last_used_at'])
      .where('ended_at', 'is', null)
      .execute()
    expect(open).toHaveLength(100)
    // Seven were used later: the own one, one that continues the partner's, with it, four new ones.
    const unusedSessions = open.filter(({ last_used_at }) => last_used_at < ago(93))
    expect(unusedSessions.map(({ id }) => id)).toEqual([idOf(partnerTokens)])
    await expectOut(lostTokens)
    for (const tokens of [ownTokens, partnerTokens, ...logins.map((one) => one.tokens)]) {
      await expectIn(tokens)
    }
  })

  it('the list of sessions cannot end sessions of another user', async () => {
    const [mallory, victim] = [await registerQuickly(), await registerQuickly()]
    const path = `/api/account/sessions/${idOf(victim.tokens)}`

    expect((await mallory.delete(path)).status).toBe(404)
    expect((await mallory.delete('/api/account/sessions')).status).toBe(200)
    await expectIn(victim.tokens)
  })
})

describe('an idle or long session', () => {
  it('expires after 31 days without a refresh', async () => {
    const [earlyPerson, latePerson] = [await registerQuickly(), await registerQuickly()]
    pass(31 * dayMs - 60_000)
    const renewedTokens = await renew(earlyPerson.tokens.refresh_token)
    pass(120_000)
    expect((await refresh(latePerson.tokens.refresh_token)).status).toBe(401)

    pass(30 * dayMs)
    await expectIn(await renew(renewedTokens.refresh_token))
  })

  it('expires after 180 days regardless of refreshes', async () => {
    let { tokens }: { tokens: Tokens } = await registerQuickly()
    for (let elapsedMs = 0; elapsedMs < 175; elapsedMs += 25) {
      pass(25 * dayMs)
      tokens = await renew(tokens.refresh_token)
    }
    pass(5 * dayMs - 60_000)
    tokens = await renew(tokens.refresh_token)
    expect(await statusOf(tokens)).toBe(200)
    pass(120_000)
    expect((await refresh(tokens.refresh_token)).status).toBe(401)
  })
})
