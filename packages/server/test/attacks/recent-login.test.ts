import { Wallet } from 'ethers'
import { beforeAll, describe, expect, it } from 'vitest'
import { adminAtAnyTime } from '../support/applications.ts'
import { at, grant } from '../support/ids.ts'
import {
  callsWith,
  goodPassword,
  later,
  logIn,
  type MailedService,
  newcomer,
  type Person,
  press,
  setNewPassword,
  type Tokens,
} from '../support/people.ts'
import { enableApp, enterCode } from '../support/second-factor.ts'
import { sharedMailedService } from '../support/shared-service.ts'
import { stopTheClock } from '../support/stopped-clock.ts'

let service: MailedService
let admin: Person
beforeAll(async () => {
  service = await sharedMailedService()
  admin = await adminAtAnyTime(service)
})

type Caller = Pick<Person, 'get' | 'post'>
const withPassword = () => newcomer(service, { password: goodPassword, isVerified: true })
const statusAndCode = (answer: { status: number; json(): Record<string, unknown> }) => [
  answer.status,
  answer.json()['code'],
]
const tooOld = [403, 'old_login']
const account = Wallet.createRandom().address
const sign = (by: Pick<Caller, 'post'>, id: string) =>
  by.post(at(id, '/generate_signature'), { account })
const prepare = (by: Pick<Caller, 'post'>, current_password?: string) =>
  by.post('/api/account/2fa', { provider: 'AuthenticatorApp', current_password })
const notMe = async (email: string, subject: string) => {
  await service.settle()
  const mail = service.mailsTo(email).findLast((one) => one.subject === subject)
  return /(\/auth\/not_me\?token=\S+)/.exec(mail?.text ?? '')?.[1] ?? ''
}

describe('a mint signature', () => {
  it('a mint signature is refused to API keys and to old logins with a fresh token; its owner is notified', async () => {
    const person = await withPassword()
    const id = await grant(admin, { user_id: person.id })
    const key = await person.post('/api/api_keys', { name: 'all of it' })
    const headers = { 'x-api-key': key.json<{ api_key: string }>().api_key }
    const byKey = await service.post(at(id, '/generate_signature'), { account }, { headers })
    expect(statusAndCode(byKey)).toEqual([403, 'insufficient_scope'])
    const old = await later(service, person.tokens)
    expect(statusAndCode(await sign(old, id))).toEqual(tooOld)
    const web = await service.post('/session', { refresh_token: old.tokens.refresh_token })
    const cookie = /^[^;]+/.exec(web.headers.get('set-cookie') ?? '')?.[0] ?? ''
    const onWeb = await service.post('/session/token', {}, { headers: { cookie } })
    expect(statusAndCode(await sign(callsWith(service, onWeb.json<Tokens>()), id))).toEqual(tooOld)

    const fresh = await logIn(service, person)
    const signAnswer = await sign(fresh, id)
    expect(signAnswer.status).toBe(200)
    const { expiry } = signAnswer.json<{ expiry: number }>()
    type OwnIdList = { data: { canonical_format: string; signed_until: string | null }[] }
    const [own] = (await fresh.get('/api/account/emoji_ids')).json<OwnIdList>().data
    expect(Date.parse(own?.signed_until ?? '')).toBe(expiry * 1_000)
    await service.settle()
    const subject = 'A mint signature was issued'
    const mail = service.mailsTo(person.email).find((one) => one.subject === subject)
    expect(mail?.text).toContain(account)
    expect((await press(service, await notMe(person.email, subject))).status).toBe(200)
    expect((await fresh.get('/api/account')).status).toBe(401)
  })

  it('requires a fresh code of a user with a second factor, regardless of the login', async () => {
    const person = await withPassword()
    const id = await grant(admin, { user_id: person.id })
    const { app } = await enableApp(service, person)
    const old = await later(service, person.tokens)
    expect((await sign(old, id)).status).toBe(424)
    expect((await sign(await enterCode(service, old.tokens, app.next()), id)).status).toBe(200)
  })
})

describe('setting up a second factor', () => {
  it('requires the password with a token of an old login', async () => {
    const person = await withPassword()
    const old = await later(service, person.tokens)
    expect(statusAndCode(await prepare(old))).toEqual(tooOld)
    const phone = { provider: 'SMS', phone: '+14155550100' }
    expect(statusAndCode(await old.post('/api/account/2fa/enable', phone))).toEqual(tooOld)
    expect(statusAndCode(await prepare(old, 'not the right one'))).toEqual([422, 'wrong_password'])
    expect((await prepare(old, goodPassword)).status).toBe(200)
    expect((await prepare(await logIn(service, person))).status).toBe(200)
  })

  it('counts wrong passwords as failed logins, even right after a login', async () => {
    stopTheClock()
    const person = await withPassword()
    const statuses: number[] = []
    for (let n = 0; n < 11; n++) statuses.push((await prepare(person, `wrong ${n}`)).status)
    expect([statuses[0], statuses.at(-1)]).toEqual([422, 429])
    expect((await prepare(person, goodPassword)).status).toBe(429)
  })

  it('accepts no password of a user without one', async () => {
    const person = await newcomer(service, { isVerified: true })
    expect(statusAndCode(await prepare(await later(service, person.tokens), goodPassword))).toEqual(
      tooOld,
    )
  })

  it('setting up a second factor by an intruder is undone with their sessions by the link in its notice, even if confirmed again since', async () => {
    const owner = await withPassword()
    const thief = await logIn(service, owner)
    await enableApp(service, thief)
    const link = await notMe(owner.email, 'Your second factor was changed')
    expect((await service.get(link)).body).toContain('second factor set up then')
    service.clock.advance(30_000)
    await enableApp(service, thief)
    expect((await press(service, link)).status).toBe(200)
    expect((await thief.get('/api/account')).status).toBe(401)
    const { tokens } = await setNewPassword(service, owner.email)
    expect(tokens.requires_2fa).toBeNull()
    const remainingCodes = await service.db
      .selectFrom('backup_codes')
      .selectAll()
      .where('user_id', '=', owner.id)
      .execute()
    expect(remainingCodes).toEqual([])
  })
})
