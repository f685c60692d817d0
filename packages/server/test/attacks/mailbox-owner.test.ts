import { beforeAll, describe, expect, it } from 'vitest'
import { grant } from '../support/ids.ts'
import {
  callsWith,
  goodPassword,
  logIn,
  type MailedService,
  newEmail,
  type Person,
  press,
  register,
  registerAs,
  submit,
  type Tokens,
} from '../support/people.ts'
import { keyPair } from '../support/schnorr.ts'
import { sharedMailedService } from '../support/shared-service.ts'

let service: MailedService
beforeAll(async () => {
  service = await sharedMailedService()
})

type Account = { user: Record<string, unknown> }
const victimsPassword = 'what only the victim knows'
const refresh = ({ refresh_token }: Tokens) =>
  service.post('/api/auth/token/refresh', { refresh_token })

async function expectOut({ tokens, get }: Pick<Person, 'tokens' | 'get'>) {
  expect((await get('/api/account')).status).toBe(401)
  expect((await refresh(tokens)).status).toBe(401)
}

/** The victim opens their first link and takes the account over by setting a password. */
async function claim(email: string, count = 1) {
  const choice = await press(service, await service.linkTo(email, count))
  const token = /name="token" value="([^"]+)"/.exec(choice.body)?.[1] ?? ''
  const fields = { token, password: victimsPassword }
  const next = await submit(service, '/auth/first_password', fields)
  const code = new URL(next.headers.get('location') ?? '').searchParams.get('code')
  const tokens = (await service.post('/api/auth/exchange', { code })).json<Tokens>()
  return { tokens, ...callsWith(service, tokens) }
}

describe('an attacker who registered a victim’s mailbox without a password', () => {
  it('loses all access once the victim uses the first link', async () => {
    const attacker = await register(service, { password: null })
    const secondTokens = (await refresh(attacker.tokens)).json<Tokens>()
    const victim = await claim(attacker.email)

    await expectOut(attacker) // T25
    await expectOut({ tokens: secondTokens, ...callsWith(service, secondTokens) })
    expect((await victim.get('/api/account')).status).toBe(200)
    await logIn(service, { email: attacker.email, password: victimsPassword })
  })

  it('an attacker who registered a victim’s mailbox without a password cannot set a password before the victim signs in', async () => {
    const attacker = await register(service, { password: null })
    const set = await attacker.patch('/api/account', { password: goodPassword })
    expect([set.status, set.json()['code']]).toEqual([422, 'missing_link'])
  })

  it('cannot move the account to another mailbox after the victim signs in', async () => {
    const attacker = await register(service, { password: null })
    const otherEmail = newEmail()
    await attacker.patch('/api/account', { email: otherEmail })
    await service.settle()
    const victim = await claim(attacker.email)
    for (const mail of service.mailsTo(otherEmail)) {
      const link = /http:\/\/localhost:\d+(\/auth\/\S+)/.exec(mail.text ?? '')?.[1] ?? ''
      expect((await press(service, link)).status).toBe(422)
    }
    const { user } = (await victim.get('/api/account')).json<Account>()
    expect(user['email']).toBe(attacker.email)
  })

  it('keeps nothing when a program registered and activated the account', async () => {
    const bot = await registerAs(service, 'Bot')
    const email = newEmail()
    const body = { email, activate: true }
    const tokens = (await bot.post('/api/users', body)).json<Tokens>()
    const holder = { tokens, ...callsWith(service, tokens) }
    expect((await holder.get('/api/account')).status).toBe(200)
    await press(service, await service.linkTo(email))
    await expectOut(holder)
  })
})

describe('an attacker who registered a victim’s mailbox with a password', () => {
  it('gives the victim no session by any button, and keeps the account if the victim confirms it as their own', async () => {
    for (const button of ['/confirm_email', '/disown']) {
      const attacker = await register(service)
      const link = await service.linkTo(attacker.email)
      const [openingAnswer, submitAnswer] = [
        await service.get(link),
        await press(service, link, button),
      ]
      for (const { status, headers, body } of [openingAnswer, submitAnswer]) {
        expect(status).toBe(200)
        expect(headers.get('set-cookie')).toBeNull() // T26
        expect(headers.get('location')).toBeNull()
        expect(body).not.toMatch(/rt_|eyJ|code=/)
      }
      if (button === '/disown') await expectOut(attacker)
      else await logIn(service, attacker)
    }
  })

  it('loses all access when the victim says "this was not me"', async () => {
    const attacker = await register(service, { first_name: 'Mallory' })
    const { email, password } = attacker
    const confirm = await service.linkTo(email)
    const second = await logIn(service, attacker)
    const otherEmail = newEmail()
    await attacker.patch('/api/account', { email: otherEmail, current_password: password })
    const change = await service.linkTo(otherEmail)
    await press(service, confirm, '/disown')

    await expectOut(attacker)
    await expectOut(second)
    expect((await service.post('/api/auth/token', { email, password })).status).toBe(401)
    expect((await press(service, change)).status).toBe(422)

    await service.settle()
    const before = service.mailsTo(email).length
    await service.post('/api/auth/magic_link', { email })
    const victim = await claim(email, before + 1)
    const { user } = (await victim.get('/api/account')).json<Account>()
    expect(user).toMatchObject({ email, first_name: null })
    expect((await service.post('/api/auth/token', { email, password })).status).toBe(401)
  })

  it.each<[string, (link: string, email: string) => Promise<unknown>]>([
    ['says "this was not me"', (link) => press(service, link, '/disown')],
    [
      'sets a new password by mail',
      async (_, email) => {
        await service.post('/api/auth/password_reset', { email })
        const link = await service.linkTo(email, 2)
        return press(service, link, undefined, { password: victimsPassword })
      },
    ],
  ])('loses all access and their keys, proven or not, when the victim %s', async (_, act) => {
    const attacker = await register(service)
    const admin = await registerAs(service, 'Admin')
    const [listedKey, proven, bound] = [keyPair(), keyPair(), keyPair()]
    const [custodial] = (await attacker.get('/api/pubkeys')).json<string[]>()
    await attacker.post(`/api/pubkeys/${listedKey.pubkey}`)
    for (const { pubkey, sign } of [proven, bound]) {
      const text = `The key ${pubkey} belongs to the account ${attacker.id}.`
      const proof = sign('emojid/pubkey-proof/v1', text)
      expect((await attacker.post(`/api/pubkeys/${pubkey}/prove`, proof)).status).toBe(200)
    }
    await grant(admin, { pubkey: bound.pubkey })
    await act(await service.linkTo(attacker.email), attacker.email)

    await expectOut(attacker)
    const { email, password } = attacker
    expect((await service.post('/api/auth/token', { email, password })).status).toBe(401)
    // An id is bound to the last key: the key moves with the id.
    const remainingKeys = (await admin.get(`/api/users/${attacker.id}/pubkeys`)).json()
    expect(remainingKeys).toEqual([custodial, bound.pubkey])
  })
})
