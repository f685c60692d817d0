import { beforeAll, describe, expect, it } from 'vitest'
import {
  callsWith,
  goodPassword,
  logIn,
  type MailedService,
  newcomer,
  newEmail,
  type Person,
  press,
  registerAs,
  setNewPassword,
  submit,
  type Tokens,
} from '../support/people.ts'
import { enableApp, enterCode, sendCode } from '../support/second-factor.ts'
import { type Phones, sharedPhones } from '../support/shared-phones.ts'

let service: MailedService
let phones: Phones
beforeAll(async () => {
  ;({ service, phones } = await sharedPhones())
})

const hour = 60 * 60_000
const ask = async (email: string) => {
  await service.settle()
  const answer = await submit(service, '/auth/lost_factor', { email })
  await service.settle()
  return answer
}
const linkIn = (email: string, path: string) => {
  const latestMail = service
    .mailsTo(email)
    .flatMap(({ text }) => new RegExp(`(${path}\\?token=\\S+)`).exec(text ?? '')?.[1] ?? [])
  return latestMail.at(-1) ?? ''
}
const begunLink = (email: string) => linkIn(email, '/auth/recover_factor')
const endLink = (email: string) => linkIn(email, '/auth/recover_factor/finish')
/** A user with an authenticator app and a started recovery. */
async function createWaiting() {
  const person = await newcomer(service, { password: goodPassword, isVerified: true })
  const { app } = await enableApp(service, person)
  await ask(person.email)
  expect((await press(service, begunLink(person.email))).status).toBe(200)
  await service.settle()
  return { person, app, link: endLink(person.email) }
}
const asksForCode = async (person: Person) =>
  (await logIn(service, person)).tokens.requires_2fa !== null
const subjectsTo = ({ email }: Person) => service.mailsTo(email).map(({ subject }) => subject)

describe('a started recovery', () => {
  it('a started recovery is ended by a deactivation and by a password set by an operator, which void its links', async () => {
    for (const act of ['deactivate', 'password'] as const) {
      const { person, link } = await createWaiting()
      const boss = await registerAs(service, 'Super')
      const reason = 'The account was stolen'
      const path = `/api/admin/users/${person.id}`
      if (act === 'deactivate') {
        expect((await boss.post(`${path}/deactivate`, { reason })).status).toBe(200)
        expect((await boss.post(`${path}/activate`, { reason })).status).toBe(200)
      } else {
        const body = { password: goodPassword, reason }
        expect((await boss.patch(`/api/users/${person.id}`, body)).status).toBe(200)
      }
      service.clock.advance(73 * hour)
      expect((await service.get(link)).status).toBe(422)
      const token = new URL(link, service.address).searchParams.get('token') ?? ''
      expect((await submit(service, '/auth/recover_factor/finish', { token })).status).toBe(422)
      expect(await asksForCode(person)).toBe(true)
    }
  })
})

describe('recovery of a forgotten second factor', () => {
  it('removes it by email after three days, which a repeated request does not change, is notified on every channel, and visible to operators', async () => {
    const phone = '+14155550177'
    const person = await newcomer(service, { password: goodPassword, isVerified: true })
    await person.post('/api/account/2fa', { provider: 'SMS', phone })
    const code = await phones.codeTo(phone)
    expect((await person.post('/api/account/2fa/confirm', { code })).status).toBe(200)
    await ask(person.email)
    const startLink = begunLink(person.email)
    // Opening the link changes nothing.
    expect((await service.get(startLink)).status).toBe(200)
    expect(endLink(person.email)).toBe('')
    expect((await press(service, startLink)).status).toBe(200)
    expect((await press(service, startLink)).status).toBe(422)
    await service.settle()
    expect(subjectsTo(person)).toContain('Your second factor can be removed soon')
    expect(phones.codesTo(phone).at(-1)).toContain('can be removed with an emailed link')

    const support = await registerAs(service, 'Admin')
    type RecoveryAnswer = { second_factor_recovery: { asked_at: string; ends_at: string } | null }
    const shownUser = (await support.get(`/api/users/${person.id}`)).json<RecoveryAnswer>()
    const { asked_at = '', ends_at = '' } = shownUser.second_factor_recovery ?? {}
    expect(Date.parse(ends_at) - Date.parse(asked_at)).toBe(72 * hour)

    const end = endLink(person.email)
    service.clock.advance(24 * hour)
    await ask(person.email)
    expect((await press(service, begunLink(person.email))).status).toBe(200)
    await service.settle()
    expect(endLink(person.email)).toBe(end)
    service.clock.advance(47 * hour)
    expect((await service.get(end)).body).toContain('Not yet')
    const token = new URL(end, service.address).searchParams.get('token') ?? ''
    const earlyAnswer = await submit(service, '/auth/recover_factor/finish', { token })
    expect(earlyAnswer.status).toBe(422)
    // The password alone cancels nothing: it may be the owner, who has no code.
    expect(await asksForCode(person)).toBe(true)
    service.clock.advance(2 * hour)
    expect((await press(service, end)).status).toBe(200)
    expect(await asksForCode(person)).toBe(false)
    expect((await press(service, end)).status).toBe(422)
  })

  it('recovery of a forgotten second factor is cancelled by a login with a code, and its owner is notified', async () => {
    const { person, app, link } = await createWaiting()
    const { tokens } = await logIn(service, person)
    expect((await sendCode(service, tokens, app.next())).status).toBe(200)
    await service.settle()
    expect(subjectsTo(person)).toContain('Your second factor stays')
    service.clock.advance(73 * hour)
    expect((await press(service, link)).status).toBe(422)
    expect(await asksForCode(person)).toBe(true)
  })

  it('recovery of a forgotten second factor is visible only to its owner, who can cancel it with a code', async () => {
    const { person, app, link } = await createWaiting()
    const path = '/api/account/2fa/recovery'
    type RecoveryAnswer = { second_factor_recovery: { asked_at: string; ends_at: string } | null }
    const readRecovery = async (by: Pick<Person, 'get'>) =>
      (await by.get(path)).json<RecoveryAnswer>()
    const { asked_at = '', ends_at = '' } =
      (await readRecovery(person)).second_factor_recovery ?? {}
    expect(Date.parse(ends_at) - Date.parse(asked_at)).toBe(72 * hour)
    const other = await newcomer(service, { password: goodPassword, isVerified: true })
    expect((await other.delete(path)).status).toBe(200)
    expect((await readRecovery(other)).second_factor_recovery).toBeNull()
    const key = await person.post('/api/api_keys', { name: 'a key' })
    const headers = { 'x-api-key': key.json<{ api_key: string }>().api_key }
    expect((await service.delete(path, { headers })).status).toBe(403)
    // A stolen session or password alone takes nothing from an owner who lost the factor.
    expect((await (await logIn(service, person)).delete(path)).status).toBe(403)
    service.clock.advance(16 * 60_000)
    const { refresh_token } = person.tokens
    const later = await service.post('/api/auth/token/refresh', { refresh_token })
    const old = callsWith(service, later.json<Tokens>())
    expect((await old.delete(path)).status).toBe(424)
    expect((await readRecovery(old)).second_factor_recovery).not.toBeNull()
    // Entering a code cancels it. Canceling again is not an error.
    const fresh = await enterCode(service, later.json<Tokens>(), app.next())
    expect((await fresh.delete(path)).status).toBe(200)
    expect((await readRecovery(fresh)).second_factor_recovery).toBeNull()
    service.clock.advance(73 * hour)
    expect((await press(service, link)).status).toBe(422)
  })

  it('recovery of a forgotten second factor cannot be completed by a former mailbox', async () => {
    const { person, link } = await createWaiting()
    const email = newEmail()
    const changeResponse = await person.patch('/api/account', {
      email,
      current_password: goodPassword,
    })
    expect(changeResponse.status).toBe(200)
    expect((await press(service, await service.linkTo(email))).status).toBe(200)
    service.clock.advance(73 * hour)
    expect((await press(service, link)).status).toBe(422)
    expect(await asksForCode({ ...person, email })).toBe(true)
  })

  it('gets the same response for every user, emails only users with a second factor, and is cancelled in a session that entered a code before', async () => {
    const person = await newcomer(service, { password: goodPassword, isVerified: true })
    await enableApp(service, person)
    const barePerson = await newcomer(service, { password: goodPassword, isVerified: true })
    const answers = [await ask(person.email), await ask(barePerson.email), await ask(newEmail())]
    expect(new Set(answers.map(({ status, body }) => `${status} ${body}`)).size).toBe(1)
    expect([begunLink(person.email) !== '', begunLink(barePerson.email)]).toEqual([true, ''])
    expect((await press(service, begunLink(person.email))).status).toBe(200)
    expect((await person.delete('/api/account/2fa/recovery')).status).toBe(200)
    await service.settle()
    expect(subjectsTo(person)).toContain('Your second factor stays')
  })
})

it('an authenticator app stays active when its owner rejects a later phone as not theirs', async () => {
  const owner = await newcomer(service, { password: goodPassword, isVerified: true })
  await enableApp(service, owner)
  service.clock.advance(1_000)
  const phone = '+14155550178'
  expect((await owner.post('/api/account/2fa', { provider: 'SMS', phone })).status).toBe(200)
  const code = await phones.codeTo(phone)
  expect((await owner.post('/api/account/2fa/confirm', { code })).status).toBe(200)
  await service.settle()
  expect((await press(service, linkIn(owner.email, '/auth/not_me'))).status).toBe(200)
  const { tokens, post } = await setNewPassword(service, owner.email)
  expect(tokens.requires_2fa).toBe('AuthenticatorApp')
  const sms = await post('/api/account/2fa/sms_code')
  expect([sms.status, sms.json()['code']]).toEqual([422, 'not_enabled'])
})

it('a recovery has one outcome when the wait ends and a code arrives at the same moment', async () => {
  for (let round = 0; round < 2; round++) {
    const { person, app, link } = await createWaiting()
    service.clock.advance(73 * hour)
    const { tokens } = await logIn(service, person)
    const code = app.code()
    const token = new URL(link, service.address).searchParams.get('token') ?? ''
    const finish = () => submit(service, '/auth/recover_factor/finish', { token })
    const give = () => sendCode(service, tokens, code)
    const [finishedAnswer, codeResponse] =
      round % 2 === 0
        ? await Promise.all([finish(), give()])
        : (await Promise.all([give(), finish()])).toReversed()
    const outcome = [finishedAnswer?.status === 200, codeResponse?.status === 200]
    expect(outcome.filter(Boolean)).toHaveLength(1)
    expect(await asksForCode(person)).toBe(codeResponse?.status === 200)
  }
})
