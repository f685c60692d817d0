import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createSealer } from '../../src/platform/crypto/seal.ts'
import { hourMs } from '../../src/platform/time.ts'
import {
  type ApplicationTokens,
  basic,
  chooseId,
  newApplication,
  newBrowser,
  pkceChallenge,
  verifier,
} from '../support/applications.ts'
import { makeCode, newText, redemptionCode } from '../support/codes.ts'
import { at, grant, newId } from '../support/ids.ts'
import { masterKey, mintSignerKey, signingKey } from '../support/own-keys.ts'
import {
  bearer,
  callsWith,
  confirmedUser,
  logIn,
  type MailedService,
  mailedService,
  newEmail,
  press,
  register,
  registerAs,
  submit,
  type Tokens,
} from '../support/people.ts'
import { dumpOf, linesOf, newSecrets } from '../support/secrets.ts'
import { buyer, shopService } from '../support/shop.ts'
import { transferSteps } from '../support/transfers.ts'

/** Its own: a shared database grows with every test file, and each dump reads all of it. */
let service: MailedService
beforeAll(async () => {
  service = await mailedService()
})
afterAll(() => service.close())

const secrets = newSecrets()
const { keep, keepToken } = secrets
const keepTokens = ({ access_token, refresh_token }: Tokens) => {
  keep('access token', access_token)
  keepToken('refresh token', refresh_token)
}
const keepLink = (link: string) => {
  const token = new URL(link, service.address).search.replace(/^\?\w+=/, '')
  keepToken('link token', token)
  return link
}

it('the database and the log hold no secret after the whole life of an account (T112, T114)', async () => {
  keep('master key', masterKey.toString('base64'), masterKey)
  keep('signing key', signingKey.toString('base64'), signingKey)
  keep('mint signer key', mintSignerKey.toString('hex'), mintSignerKey)
  const dumps: string[] = []
  const look = async () => void dumps.push(await dumpOf(service))
  const admin = await registerAs(service, 'Admin')

  const first = 'the first passw0rd of Anna'
  const anna = await register(service, { password: first })
  keep('password', first)
  keepTokens(anna.tokens)
  await look()
  await press(service, keepLink(await service.linkTo(anna.email)))
  const wrong = 'Annas guess of a passw0rd'
  keep('wrong password', wrong)
  await service.post('/api/auth/token', { email: anna.email, password: wrong })
  const secondAnswer = await service.post('/api/auth/token/refresh', {
    refresh_token: anna.tokens.refresh_token,
  })
  keepTokens(secondAnswer.json<Tokens>())

  await service.post('/api/auth/password_reset', { email: anna.email })
  await look()
  const second = 'the second passw0rd of Anna'
  keep('password', second)
  const reset = keepLink(await service.linkTo(anna.email, 2))
  expect((await press(service, reset, undefined, { password: second })).status).toBe(200)
  const before = await logIn(service, { email: anna.email, password: second })
  keepTokens(before.tokens)
  const newAddress = newEmail()
  const change = { email: newAddress, current_password: second }
  expect((await before.patch('/api/account', change)).status).toBe(200)
  await press(service, keepLink(await service.linkTo(newAddress)))
  const session = await logIn(service, { email: newAddress, password: second })
  keepTokens(session.tokens)

  const bert = await register(service, { password: null })
  keepTokens(bert.tokens)
  const magic = keepLink(await service.linkTo(bert.email))
  const choiceAnswer = await press(service, magic)
  const token = /name="token" value="([^"]+)"/.exec(choiceAnswer.body)?.[1] ?? ''
  keepToken('first password token', token)
  const skipAnswer = await submit(service, '/auth/first_password/skip', { token })
  const code = new URL(skipAnswer.headers.get('location') ?? '').searchParams.get('code') ?? ''
  keepToken('exchange code', code)
  const tokens = (await service.post('/api/auth/exchange', { code })).json<Tokens>()
  keepTokens(tokens)
  await look()

  const enableAnswer = await session.post('/api/account/2fa', { provider: 'AuthenticatorApp' })
  const { ga_secret = '', backup_codes = [] } = enableAnswer.json<{
    ga_secret: string
    backup_codes: string[]
  }>()
  expect(backup_codes).toHaveLength(10)
  keep('TOTP seed', ga_secret, new Uint8Array(Secret.fromBase32(ga_secret).buffer))
  for (const one of backup_codes) {
    keep('backup code', one)
    keep('backup code', one.replaceAll(/[^0-9a-z]/gi, ''))
  }
  await look()
  const totp = new TOTP({ secret: ga_secret })
  const now = () => totp.generate({ timestamp: service.clock.now().getTime() })
  expect((await session.post('/api/account/2fa/confirm', { code: now() })).status).toBe(200)

  const repeat = { 'idempotency-key': 'once', ...bearer(session.tokens.access_token).headers }
  const keyResponse = await service.post('/api/api_keys', { name: 'k' }, { headers: repeat })
  const { api_key } = keyResponse.json<{ api_key: string }>()
  keep('API key', api_key)
  keepToken('API key', api_key.split('_').at(-1) ?? '')
  await session.post('/api/pubkeys')
  const id = await grant(admin, { user_id: anna.id })
  const headers = { 'x-api-key': api_key }
  const body = { insert: [{ tag: '0x1003', data: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa' }] }
  expect((await service.patch(at(id), body, { headers })).status).toBe(200)
  await look()
  const undoLinks = () =>
    service.mailsTo(newAddress).flatMap(({ text }) => text?.match(/\/auth\/undo_change\S+/) ?? [])
  await expect.poll(undoLinks).not.toEqual([])
  keepLink(String(undoLinks()[0]))

  // Until then the former mailbox could take the account back, so nothing is transferred.
  service.clock.advance(72 * hourMs + 60_000)
  const due = await logIn(service, { email: newAddress, password: second })
  keepTokens(due.tokens)
  const { refresh_token } = due.tokens
  const codeResponse = await service.post('/api/auth/2fa', { refresh_token, code: now() })
  keepTokens(codeResponse.json<Tokens>())

  const owner = callsWith(service, codeResponse.json<Tokens>())
  const carl = await confirmedUser(service)
  keepTokens(carl.tokens)
  const { codeTo, post, confirm, accept } = transferSteps(service, admin)
  const transfer = await post(owner, { eid: id, email: carl.email })
  await look()
  const senderCode = await codeTo({ email: newAddress })
  keep('transfer code', senderCode)
  const guess = 'GUESSED2'
  keep('wrong transfer code', guess)
  expect((await confirm(owner, transfer, guess)).status).toBe(422)
  expect((await confirm(owner, transfer, senderCode)).status).toBe(200)
  await look()
  const receiverCode = await codeTo(carl)
  keep('transfer code', receiverCode)
  const once = { 'idempotency-key': 'accept', ...bearer(carl.tokens.access_token).headers }
  const path = `/api/transfers/${transfer.id}/receiver_accept`
  const acceptanceAnswer = await service.post(path, { code: receiverCode }, { headers: once })
  expect(acceptanceAnswer.status).toBe(200)
  const operator = await logIn(service, admin)
  const other = { eid: await grant(operator, { user_id: carl.id }), email: newAddress }
  expect((await accept(owner, await post(carl, other), guess)).status).toBe(422)
  await look()

  const usedCodes = { email: newAddress, backup_code: backup_codes[0] }
  expect((await service.post('/api/account/2fa/backup_disable', usedCodes)).status).toBe(200)
  await callsWith(service, tokens).post('/api/logout')
  await service.settle()

  const sealer = createSealer([masterKey])
  const rows = await service.db.selectFrom('keys').selectAll().execute()
  for (const { sealed_private_key, user_id, organization_id, pubkey } of rows) {
    if (!sealed_private_key) continue
    const place = `private key of ${user_id ?? organization_id} ${pubkey}`
    const privateKey = sealer.open(sealed_private_key, place)
    keep('private key', privateKey.toString('hex'), privateKey)
  }
  expect(secrets.size()).toBeGreaterThan(40)
  await look()

  // Control: the search finds mail addresses in the tables and paths in the log.
  for (const text of dumps) expect(text).toContain(anna.email)
  expect(dumps.at(-1)).toContain(newAddress)
  const log = service.logged.join('\n')
  expect(log).toContain('/api/auth/token')
  expect(secrets.findIn(linesOf(dumps))).toEqual([])
  expect(secrets.findIn(log)).toEqual([])
})

it('the database and the log hold no secret after a login at an application (T112, T114)', async () => {
  const { keep, keepToken, findIn, size } = newSecrets()
  const dumps: string[] = []
  const look = async () => void dumps.push(await dumpOf(service))
  const keepTokens = ({ access_token, refresh_token }: ApplicationTokens) => {
    keep('access token', access_token)
    keep('signature', access_token.split('.')[2] ?? '')
    keepToken('refresh token', refresh_token)
  }
  const admin = await registerAs(service, 'Super')
  const application = await newApplication(service, admin)
  const { client_id, client_secret } = application
  keepToken('client secret', client_secret)
  const once = { 'idempotency-key': 'once', ...bearer(admin.tokens.access_token).headers }
  const path = `/api/admin/oauth_clients/${client_id}/secrets`
  const second = (await service.post(path, undefined, { headers: once })).json()
  keepToken('client secret', String(second['client_secret']))
  await look()

  const person = await confirmedUser(service)
  const id = await grant(admin, { user_id: person.id })
  const browser = newBrowser(service)
  const page = await browser.open(application.at(pkceChallenge))
  keep('form token', /name="form_token" value="([^"]+)"/.exec(page.body)?.[1] ?? '')
  keepToken('browser cookie', browser.name())
  await browser.send(application.at(pkceChallenge, '/authorize/link'), { email: person.email })
  const link = await service.linkTo(person.email, 2)
  keepToken('link', new URL(link, service.address).searchParams.get('refresh_token') ?? '')
  await look()
  await browser.open(link)
  keepToken('cookie', browser.handle() ?? '')
  await look()
  const password = 'the first passw0rd of Anna'
  keep('password', password)
  await browser.send(application.at(pkceChallenge, '/authorize/first_password'), { password })
  keepToken('cookie', browser.handle() ?? '')

  const code = await chooseId(browser, application, id, pkceChallenge)
  keep('code', code)
  keep('signature of the code', code.split('.')[2] ?? '')
  keep('verifier', verifier)
  await look()
  const wrong = await application.exchange(code, { code_verifier: `${verifier}x` })
  expect(wrong.status).toBe(400)
  const exchangedAnswer = await application.exchange(code, { code_verifier: verifier })
  expect(exchangedAnswer.status).toBe(200)
  const tokens = exchangedAnswer.json<ApplicationTokens>()
  keepTokens(tokens)
  await look()
  const form = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token }
  const header = basic(client_id, client_secret)
  const refreshedTokens = (await application.send('/token', form, header)).json<ApplicationTokens>()
  keepTokens(refreshedTokens)
  const guess = 'sec_a guess of a secret'
  keep('wrong secret', guess)
  expect((await application.exchange(code, { client_secret: guess })).status).toBe(401)
  await look()
  await application.revoke(refreshedTokens.refresh_token)
  await browser.send(application.at({}, '/authorize/leave'), {})
  await service.settle()
  await look()

  // Control: the search finds names in the tables and paths in the log.
  for (const text of dumps) expect(text).toContain(client_id)
  const log = service.logged.join('\n')
  expect(log).toContain('/auth/token')
  expect(size()).toBe(18)
  expect(findIn(linesOf(dumps))).toEqual([])
  expect(findIn(log)).toEqual([])
})

it('the database and the log hold no secret after purchases, refunds, gifts and webhooks (T112, T114)', async () => {
  const shop = await shopService()
  try {
    const { keep, keepToken, findIn, size } = newSecrets()
    const dumps: string[] = []
    const look = async () => void dumps.push(await dumpOf(shop))
    const admin = await registerAs(shop, 'Admin')
    const once = { 'idempotency-key': 'once', ...bearer(admin.tokens.access_token).headers }

    const text = newText()
    const body = redemptionCode({ redemption_code: text })
    for (let turn = 0; turn < 2; turn++) {
      const answer = await shop.post('/api/admin/codes', body, { headers: once })
      expect(answer.json()).toMatchObject({ redemption_code: text })
    }
    keep('promo code', text)
    const renamed = newText()
    keep('promo code', renamed)
    const { id: code_id } = await makeCode(admin, redemptionCode())
    await admin.patch(`/api/admin/codes/${code_id}`, { redemption_code: renamed })

    const payer = await buyer(shop)
    const urls = { success_url: 'https://shop.example/', cancel_url: 'https://shop.example/' }
    await payer.add(newId())
    const hosted = await payer.checkout('CardCheckout', urls)
    keep('checkout page', hosted.payment_method_data?.checkout_url ?? '')
    await look()
    const { client_secret = '' } = (await payer.checkout('CardCheckout')).payment_method_data ?? {}
    keep('client secret', client_secret)
    keep('client secret', client_secret.split('_secret_').at(-1) ?? '')
    await look()
    const order = await payer.checkout('CryptoCommerce')
    expect((await payer.promo(text)).applied_codes).toMatchObject([{ name: text }])
    await shop.pay(await payer.cart())
    await payer.until(order.id, 'Paid')
    await admin.post(`/api/orders/${order.id}/refund`, { reason: 'asked for it' })
    const refunds = async () =>
      (await payer.get(`/api/orders/${order.id}/refunds`)).json<
        { claim_url: string | null; paid_out_at: string | null }[]
      >()
    const claimed = async () => (await refunds())[0]?.claim_url
    await expect.poll(claimed).toContain('/claim/')
    const claim_url = String(await claimed())
    keep('claim page', claim_url)
    keep('claim', claim_url.split('/').at(-1) ?? '')
    await look()
    // The claim is followed without its id in the database.
    await shop.run('payments.claims')
    expect(await refunds()).toMatchObject([{ paid_out_at: null }])

    const { codeTo, post, confirm } = transferSteps(shop, admin)
    const giver = await confirmedUser(shop)
    const id = await grant(admin, { user_id: giver.id })
    const receiver = newEmail()
    const transfer = await post(giver, { eid: id, email: receiver })
    const senderCode = await codeTo(giver)
    keep('transfer code', senderCode)
    await confirm(giver, transfer, senderCode)
    keep('transfer code', await codeTo({ email: receiver }))
    const gift = () =>
      shop
        .mailsTo(receiver)
        .flatMap(({ text: mail }) => /gift#([\w-]{43})/.exec(mail ?? '')?.[1] ?? [])
    expect(gift()).toHaveLength(1)
    keepToken('gift link', String(gift()[0]))
    await look()

    const headers = { 'idempotency-key': 'hook', ...bearer(giver.tokens.access_token).headers }
    const token = 'token-of-a-receiver'
    keep('token in a webhook address', token)
    const url = `https://93.184.216.34/${token}?key=${token}`
    const hook = { url, types: ['transfer.offered'] }
    const hookAnswer = await shop.post('/api/webhook_endpoints', hook, { headers })
    expect(hookAnswer.status).toBe(200)
    const { secret } = hookAnswer.json<{ secret: string }>()
    keep('webhook secret', secret, Buffer.from(secret.replace('whsec_', ''), 'base64'))
    await shop.settle()
    await look()

    // Control: the search finds mail addresses in the tables and paths in the log.
    for (const dump of dumps) expect(dump).toContain(payer.email)
    const log = shop.logged.join('\n')
    expect(log).toContain('/api/cart/checkout')
    expect(size()).toBe(12)
    expect(findIn(linesOf(dumps))).toEqual([])
    expect(findIn(log)).toEqual([])
  } finally {
    await shop.close()
  }
})
