import { beforeAll, describe, expect, it } from 'vitest'
import { giftTokenTo } from '../support/gifts.ts'
import { at, grant, recordsOf } from '../support/ids.ts'
import {
  goodPassword,
  logIn,
  type MailedService,
  newcomer,
  newEmail,
  type Person,
  press,
  registerAs,
  setNewPassword,
} from '../support/people.ts'
import type { Answer } from '../support/service.ts'
import { sharedMailedService } from '../support/shared-service.ts'
import { transferSteps } from '../support/transfers.ts'

let service: MailedService
let admin: Person
let hands: ReturnType<typeof transferSteps>
beforeAll(async () => {
  service = await sharedMailedService()
  admin = await registerAs(service, 'Admin')
  hands = transferSteps(service, admin)
})

const newUser = () => newcomer(service, { isVerified: true })
const own = { headers: { 'sec-fetch-site': 'same-origin' } }
const look = (token: string) => service.post('/gift/look', { token }, own)
const join = (token: string, password = goodPassword) =>
  service.post('/gift/join', { token, password }, own)
const decline = (token: string) => service.post('/gift/decline', { token }, own)
const outcomeOf = (answer: Answer) => [answer.status, answer.json()['code']]

const change = (to: object) => service.db.updateTable('users').set(to)

/** An id offered to an unknown mailbox. */
async function offeredToStranger(body: object = {}) {
  const anna = await newUser()
  const [id, email] = [await grant(admin, { user_id: anna.id }), newEmail()]
  const transfer = await hands.post(anna, { eid: id, email, ...body })
  await hands.confirm(anna, transfer, await hands.codeTo(anna))
  await hands.codeTo({ email })
  return { anna, id, email, transfer, token: giftTokenTo(service, email) }
}

/** An id offered to a person: the sender confirms a transfer, which emails its link. */
async function offeredTo(person: { id: string; email: string } | undefined = undefined) {
  const more = person ? { recipient_id: person.id, email: person.email } : {}
  const { anna, bert, id, transfer, code } = await hands.inserted('awaiting_sender', more)
  const recipient = person ?? bert
  expect((await hands.confirm(anna, transfer, code)).status).toBe(200)
  const receiverCode = await hands.codeTo(recipient)
  const token = giftTokenTo(service, recipient.email)
  return { anna, bert, id, transfer, code: receiverCode, token }
}

/** Opens the "this was not me" link of the latest notice. */
async function disavow(email: string) {
  await service.settle()
  const texts = service.mailsTo(email).map(({ text }) => text ?? '')
  const links = texts.flatMap((text) => /(\/auth\/not_me\?token=\S+)/.exec(text)?.[1] ?? [])
  expect((await press(service, links.at(-1) ?? '')).status).toBe(200)
}

describe('the mail of a gift', () => {
  it('names the confirmed sender only with their consent, and quotes the message without links', async () => {
    const message = 'Happy birthday!\nhttps://evil.example/x www.evil.example <b>you</b> “Support”'
    const open = await offeredToStranger({ message, show_sender: true })
    const mail = service.mailsTo(open.email).at(-1)
    expect(mail?.text).toContain(`The owner of ${open.anna.email} offers you`)
    expect(mail?.text).toContain('“Happy birthday! … … <b>you</b> ’Support’”')
    expect(mail?.html).not.toContain('evil')
    expect(mail?.html).not.toContain('<b>you')
    expect((await look(open.token)).json()).toMatchObject({
      sender: open.anna.email,
      message,
      is_new: true,
      email: open.email,
    })
    await change({ email_verified_at: null }).where('id', '=', open.anna.id).execute()
    expect((await look(open.token)).json()).toMatchObject({ sender: null })

    const hidden = await offeredToStranger()
    expect(service.mailsTo(hidden.email).at(-1)?.text).not.toContain(hidden.anna.email)
    expect((await look(hidden.token)).json()).toMatchObject({ sender: null, message: null })
  })
})

describe('the link of a gift (T124)', () => {
  it('lets a new person set a password, which a mail can undo, and accept without a code', async () => {
    const { id, email, transfer, token } = await offeredToStranger()
    expect(outcomeOf(await join(token, 'short'))).toEqual([422, 'weak_password'])
    const joinAnswer = await join(token)
    expect(joinAnswer.status).toBe(200)
    expect(joinAnswer.headers.get('set-cookie')).toMatch(/__Host-svc_web=[^;]+;.*HttpOnly/)
    // The link is used up; the page got a new one for the same offer.
    expect(outcomeOf(await join(token))).toEqual([422, 'expired_link'])
    const bert = await logIn(service, { email, password: goodPassword })
    expect(outcomeOf(await hands.accept(bert, transfer, token))).toEqual([422, 'late_code'])
    const { token: next } = joinAnswer.json<{ token: string }>()
    expect((await hands.accept(bert, transfer, next)).json()).toEqual([id])
    expect((await bert.get('/api/account')).json()).toMatchObject({
      user: { email_verified_at: expect.any(String) },
    })
    expect(outcomeOf(await look(next))).toEqual([422, 'expired_link'])
    await disavow(email)
    const login = await service.post('/api/auth/token', { email, password: goodPassword })
    expect(login.status).toBe(401)
  })

  it('sets no password for an account that is in use: it signs in by an emailed link', async () => {
    const { email, token } = await offeredToStranger()
    const unused = {
      two_factor_auth: [],
      password_hash: null,
      claimed_at: null,
      email_verified_at: null,
    }
    for (const use of [
      { two_factor_auth: ['AuthenticatorApp'] },
      { password_hash: 'x' },
      { claimed_at: new Date() },
      { email_verified_at: new Date() },
    ]) {
      await change({ ...unused, ...use })
        .where('email', '=', email)
        .execute()
      expect((await look(token)).json()).toMatchObject({ is_new: false })
      expect(outcomeOf(await join(token))).toEqual([422, 'has_password'])
    }
  })

  const endings: Record<string, (bert: Person, transfer: { id: string }) => Promise<unknown>> = {
    async 'this was not me'(bert) {
      expect((await bert.post('/api/api_keys', { name: 'x' })).status).toBe(200)
      await disavow(bert.email)
    },
    'a new password': ({ patch, password }) =>
      patch('/api/account', { password: 'another hard to guess', current_password: password }),
    async 'a password reset'({ email }) {
      await service.post('/api/auth/password_reset', { email })
      await setNewPassword(service, email)
    },
    async 'the next link'(bert, { id }) {
      service.clock.advance(61_000)
      expect((await bert.post(`/api/transfers/${id}/resend_code`)).status).toBe(200)
    },
  }
  it.each(Object.entries(endings))(
    'the link of a gift (T124) ends with %s',
    async (_event, act) => {
      const bert = await newcomer(service, { password: goodPassword, isVerified: true })
      const { transfer, token } = await offeredTo(bert)
      expect((await look(token)).status).toBe(200)
      await act(bert, transfer)
      expect(outcomeOf(await look(token))).toEqual([422, 'expired_link'])
      expect(outcomeOf(await join(token))).toEqual([422, 'expired_link'])
      expect(outcomeOf(await decline(token))).toEqual([422, 'expired_link'])
    },
  )

  it('confirms an unconfirmed account, accepts for it, and ends the access of a stranger who made it (T25)', async () => {
    const mallory = await newcomer(service)
    const { id, token, transfer } = await offeredTo(mallory)
    expect((await mallory.get('/api/account')).status).toBe(200)
    const joinAnswer = await join(token)
    expect(joinAnswer.status).toBe(200)
    expect((await mallory.get('/api/account')).status).toBe(401)
    // The page continues for the mailbox, whose link confirmed the address.
    const bert = await logIn(service, { email: mallory.email, password: goodPassword })
    const { token: next } = joinAnswer.json<{ token: string }>()
    expect((await hands.accept(bert, transfer, next)).json()).toEqual([id])
    expect((await bert.get('/api/account')).json()).toMatchObject({
      user: { email_verified_at: expect.any(String) },
    })
  })

  it('accepts only for its own recipient and its own transfer, and closes nothing (T94)', async () => {
    const [one, other] = [await offeredTo(), await hands.inserted('awaiting_receiver')]
    const { token } = one
    for (let tries = 0; tries < 6; tries++) {
      const answer = await hands.accept(other.bert, other.transfer, token)
      expect(outcomeOf(answer)).toEqual([422, 'late_code'])
    }
    expect((await hands.accept(one.anna, one.transfer, token)).status).toBe(403)
    expect(outcomeOf(await hands.confirm(one.anna, one.transfer, token))).toEqual([
      422,
      'confirmed_transfer',
    ])
    expect((await hands.accept(one.bert, one.transfer, token)).status).toBe(200)
    expect((await hands.accept(other.bert, other.transfer, other.code)).status).toBe(200)
  })

  it('the link of a gift (T124) is accepted only with the records that the page showed, if the page names them', async () => {
    const { anna, bert, id, transfer, token: code } = await offeredTo()
    const accept = (body: object) =>
      bert.post(hands.path(transfer, '/receiver_accept'), { code, ...body })
    const insert = [{ tag: '0x1003', data: '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2' }]
    expect((await anna.patch(`/api/emoji_id/${id}`, { insert })).status).toBe(200)
    expect(outcomeOf(await accept({ shown_records: [] }))).toEqual([422, 'changed_records'])
    expect(await hands.ownerOf(id)).toEqual([anna.id])
    const { result } = (await service.get(`/api/emoji_id/${id}`)).json<{
      result: { hash: string }[]
    }>()
    const shown_records = result.map(({ hash }) => hash)
    expect((await accept({ shown_records })).json()).toEqual([id])
  })

  it('the link of a gift (T124) is accepted with all records that the page showed, even if an undo left more than 200', async () => {
    const { anna, bert, id, transfer, token: code } = await offeredTo()
    const named = (from: number, data: (n: number) => object) =>
      Array.from({ length: 200 }, (_, n) => data(from + n))
    const address = (n: number) => ({ tag: '0x3fff', data: `TOK${n}|crab` })
    const text = (n: number) => ({ tag: '0x5001', data: `text ${n}` })
    const edit = async (body: object) => expect((await anna.patch(at(id), body)).status).toBe(200)
    await edit({ insert: named(0, address) })
    const own = await recordsOf(service, id)
    await service.settle()
    await edit({ delete: own.map(({ hash }) => hash), insert: named(0, text) })
    await service.settle()
    const mails = service.mailsTo(anna.email).length
    expect((await press(service, await service.linkTo(anna.email, mails))).status).toBe(200)
    const shown_records = (await recordsOf(service, id)).map(({ hash }) => hash)
    expect(shown_records).toHaveLength(400)
    const accept = (shown: string[]) =>
      bert.post(hands.path(transfer, '/receiver_accept'), { code, shown_records: shown })
    expect(outcomeOf(await accept(shown_records.slice(1)))).toEqual([422, 'changed_records'])
    expect((await accept(shown_records)).json()).toEqual([id])
  })

  it('declines once, without a sign-in, from our own pages only (T81), and tells the sender', async () => {
    const { anna, id, transfer, token } = await offeredToStranger()
    const foreign = { headers: { 'sec-fetch-site': 'cross-site' } }
    for (const path of ['look', 'join', 'decline']) {
      const answer = await service.post(`/gift/${path}`, { token, password: goodPassword }, foreign)
      expect(answer.status).toBe(403)
    }
    const answers = await Promise.all([decline(token), decline(token), decline(token)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422])
    expect(await hands.stateOf(transfer)).toBe('closed')
    expect(await hands.ownerOf(id)).toEqual([anna.id])
    expect(outcomeOf(await look(token))).toEqual([422, 'expired_link'])
    expect(outcomeOf(await join(token))).toEqual([422, 'expired_link'])
    await service.settle()
    const texts = service.mailsTo(anna.email).map(({ text }) => text ?? '')
    expect(texts.join('\n')).toContain('was declined by the recipient')
  })

  it('the link of a gift (T124) ends with a changed mailbox, a deactivated account and a cancelled transfer', async () => {
    const { anna, bert, transfer, token } = await offeredTo()
    const expectEnd = async () => {
      expect(outcomeOf(await look(token))).toEqual([422, 'expired_link'])
      expect((await decline(token)).status).toBe(422)
    }
    for (const [to, back] of [
      [{ email: newEmail() }, { email: bert.email }],
      [{ deactivated_at: new Date() }, { deactivated_at: null }],
    ]) {
      await change(to ?? {})
        .where('id', '=', bert.id)
        .execute()
      await expectEnd()
      await change(back ?? {})
        .where('id', '=', bert.id)
        .execute()
      expect((await look(token)).status).toBe(200)
    }
    await anna.delete(hands.path(transfer))
    await expectEnd()
  })

  it.each(['', 'x', 'A'.repeat(43), 'A'.repeat(5_000)])(
    'the link of a gift (T124) is refused if it is %j',
    async (token) => {
      expect(outcomeOf(await look(token))).toEqual([422, 'expired_link'])
      expect(outcomeOf(await join(token))).toEqual([422, 'expired_link'])
    },
  )
})
