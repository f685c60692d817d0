import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  at,
  grant,
  insertOwnedId,
  newId,
  proofOf,
  recordsOf,
} from '../../../../test/support/ids.ts'
import {
  type MailedService,
  mailedService,
  newcomer,
  newEmail,
  type Person,
  press,
  register,
  registerAs,
} from '../../../../test/support/people.ts'
import { keyPair } from '../../../../test/support/schnorr.ts'
import { enableApp, enterCode } from '../../../../test/support/second-factor.ts'
import { stopTheClock } from '../../../../test/support/stopped-clock.ts'
import { type TransferView, transferSteps, wrongCode } from '../../../../test/support/transfers.ts'

let service: MailedService
let admin: Person
let hands: ReturnType<typeof transferSteps>
beforeAll(async () => {
  service = await mailedService({ env: { TWO_FACTOR_GRACE_SECONDS: '300' } })
  admin = await registerAs(service, 'Admin')
  hands = transferSteps(service, admin)
})
afterAll(() => service.close())

const newUser = () => newcomer(service, { isVerified: true })
const minute = 60_000
const ether = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const bitcoin = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
const outcomeOf = (answer: { status: number; json(): Record<string, unknown> }) => [
  answer.status,
  answer.json()['code'],
]
const pubkeyOf = async ({ id }: { id: string }) =>
  (await admin.get(`/api/users/${id}/pubkeys`)).json<string[]>()[0] ?? ''
const mailOf = ({ email }: { email: string }, subject: string) =>
  service.mailsTo(email).find((mail) => mail.subject === subject)?.text
/** Both emails to the recipient have these words, and no address. */
const expectWords = (receiver: Person, id: string, words: string) => {
  for (const subject of [`${id} is offered to you`, `${id} is yours now`]) {
    expect(mailOf(receiver, subject)).toContain(words)
    expect(mailOf(receiver, subject)).not.toContain(bitcoin)
  }
}
const write = (by: Pick<Person, 'patch'>, id: string, data = bitcoin) =>
  by.patch(at(id), { insert: [{ tag: '0x1003', data }] })

describe('a transfer of an id', () => {
  it('a transfer of an id needs two codes, each from a mailbox, and blocks the id for three days', async () => {
    const { anna, bert, id, transfer, code } = await hands.begun({ message: ' Enjoy\nit ' })
    expect(transfer).toEqual({
      id: expect.any(String),
      eid: id,
      email: bert.email,
      recipient_id: expect.any(String),
      clear_on_transfer: false,
      created_at: expect.any(String),
      message: 'Enjoy\nit',
      sender: null,
      accepted_at: null,
      deleted_at: null,
      sender_code_accepted_at: null,
    })
    const sendAnswer = await hands.confirm(
      anna,
      transfer,
      ` ${code.slice(0, 4).toLowerCase()}-${code.slice(4)} `,
    )
    expect(sendAnswer.status).toBe(200)
    const { sender_code_accepted_at, ...same } = sendAnswer.json<TransferView>()
    expect({ ...same, sender_code_accepted_at: null }).toEqual(transfer)
    expect(sender_code_accepted_at).toEqual(expect.any(String))
    expect(await hands.ownerOf(id)).toEqual([anna.id])

    const moveAnswer = await hands.accept(bert, transfer, await hands.codeTo(bert))
    expect([moveAnswer.status, moveAnswer.json()]).toEqual([200, [id]])
    expect(await hands.ownerOf(id)).toEqual([bert.id])
    expect((await anna.get('/api/emoji_id')).json()).toEqual([])
    const [item] = (await bert.get('/api/emoji_id/extended')).json<{ blocked_until: string }[]>()
    const hours =
      (Date.parse(item?.blocked_until ?? '') - service.clock.now().getTime()) / 3_600_000
    expect(hours).toBeGreaterThan(71.9)
    expect(hours).toBeLessThanOrEqual(72)
    expect(outcomeOf(await bert.post('/api/transfers', { eid: id, email: anna.email }))).toEqual([
      422,
      'blocked',
    ])
    // Nor can it be released, for another buyer to get it immediately.
    expect(outcomeOf(await bert.delete(at(id)))).toEqual([422, 'blocked'])
    await service.settle()
    expectWords(bert, id, 'It has no records')
    const subjects = (email: string) => service.mailsTo(email).map(({ subject }) => subject)
    expect(subjects(anna.email)).toContain(`${id} is no longer yours`)
    expect(subjects(bert.email)).toContain(`${id} is yours now`)
  })

  it('names the addresses themselves in emails, regardless of other text in their records', async () => {
    const { anna, bert, id, transfer, code } = await hands.inserted('awaiting_sender')
    const insert = [
      { tag: '0x1003', data: `${bitcoin}|Visit” was removed||t` },
      { tag: '0x6300', data: `USDC|USD Coin|ETH|${ether}|mine|` },
      { tag: '0x3fff', data: 'ABCD|xyz' },
      { tag: '0x6200', data: 'DE02 1203|0000' },
      { tag: '0x6200', data: 'Log in at https://evil.example now' },
    ]
    expect((await anna.patch(at(id), { insert })).status).toBe(200)
    await hands.confirm(anna, transfer, code)
    await service.settle()
    const addresses = `BTC ${bitcoin}; USDC on ETH ${ether}; ABCD xyz; Payment address “DE02 1203|0000”;`
    const offer = mailOf(bert, `${id} is offered to you`)
    expect(offer).toContain(`are not yours: ${addresses}`)
    // An unsolicited email contains no links from the sender's texts.
    expect(offer).toMatch(/Payment address “Log in at … now” \(record \w{10}\)/)
    expect(offer).not.toContain('evil')
    expect(mailOf(anna, `Payment addresses of ${id} changed`)).toContain(
      `BTC ${bitcoin} (labelled “Visit’ was removed” and the default) was added; USDC on ETH ${ether} (labelled “mine”) was added`,
    )
  })

  it('moves the records, signed by the new key, without undo; emails name its addresses', async () => {
    const { anna, bert, id, transfer, code } = await hands.begun()
    await write(anna, id)
    await anna.post(at(id, '/json/SvcPageData'), { data: { title: 'Anna' } })
    const before = await proofOf(service, id)
    await hands.confirm(anna, transfer, code)
    await hands.accept(bert, transfer, await hands.codeTo(bert))

    expect((await recordsOf(service, id)).map(({ data }) => data)).toEqual([bitcoin])
    expect((await service.get(at(id, '/json/SvcPageData'))).json()).toMatchObject({
      data: { title: 'Anna' },
    })
    const after = await proofOf(service, id)
    expect(after.version).toBeGreaterThan(before.version)
    expect(after.pubkey).toBe(await pubkeyOf(bert))
    expect(after.signature?.signer).toBe(after.pubkey)
    expect((await service.get(at(id, '/history'))).json<object[]>()).toHaveLength(1)
    const changes = await bert.get(at(id, '/changes'))
    expect(changes.json()).toMatchObject({ data: [{ by: 'other', added: [{ data: bitcoin }] }] })

    await service.settle()
    for (const subject of [`${id} is offered to you`, `${id} is yours now`]) {
      const text = mailOf(bert, subject)
      expect(text).toContain(`replace any that are not yours: BTC ${bitcoin}.`)
      expect(text).toMatch(/\nhttp:\/\/localhost:3000\/(account|gift#[\w-]{43})\n/)
      expect(text).not.toContain('You don’t need to do anything')
    }
    expect(mailOf(anna, `Confirm the transfer of ${id}`)).toContain(
      '\nhttp://localhost:3000/account/transfers\n',
    )
  })

  it('clears the records on request: a lookup never pays the former owner, and emails say so', async () => {
    const { anna, bert, id, transfer, code } = await hands.inserted('awaiting_sender', {
      clear_on_transfer: true,
    })
    await write(anna, id)
    await anna.patch(at(id), { insert: [{ tag: '0x0006', data: id }] })
    await anna.post(at(id, '/json/VisualizerFileLocations'), { data: { image: 'https://x.org/a' } })
    expect(await recordsOf(service, id)).toHaveLength(2)
    const before = await proofOf(service, id)
    await hands.confirm(anna, transfer, code)
    await hands.accept(bert, transfer, await hands.codeTo(bert))

    expect(await recordsOf(service, id)).toEqual([])
    expect((await service.get(at(id, '/payment'))).json()).toMatchObject({ result: {} })
    const entry = await service.get(at(id, '/json/VisualizerFileLocations'))
    expect(entry.json()).toMatchObject({ data: {} })
    expect((await proofOf(service, id)).version).toBeGreaterThan(before.version)
    expect((await service.get(at(id, '/history'))).json<object[]>()).toHaveLength(1)
    await service.settle()
    expectWords(bert, id, 'It has no records')
  })

  it('to a stored or proven key does not reveal its owner’s account and mailbox, and names that no record is an address', async () => {
    const [anna, bert] = [await newUser(), await newUser()]
    const id = await insertOwnedId(service, anna.id)
    const own = (await bert.post('/api/pubkeys')).json<string>()
    await anna.patch(at(id), { insert: [{ tag: '0x5001', data: 'Hi' }] })
    const transfer = await hands.post(anna, { eid: id, pubkey: own.toUpperCase() })
    expect(transfer.email).toBe('')
    for (const secret of [bert.id, bert.email])
      expect(JSON.stringify(transfer)).not.toContain(secret)
    await hands.confirm(anna, transfer, await hands.codeTo(anna))
    await hands.accept(bert, transfer, await hands.codeTo(bert))
    expect((await proofOf(service, id)).pubkey).toBe(own)
    await service.settle()
    expectWords(bert, id, 'none of them is a payment address')
  })

  it('creates and invites an account for an unknown mailbox', async () => {
    const anna = await newUser()
    const [id, email] = [await insertOwnedId(service, anna.id), newEmail()]
    const transfer = await hands.post(anna, { eid: id, email })
    // One email, once the sender has confirmed.
    await service.settle()
    expect(service.mailsTo(email)).toEqual([])
    await hands.confirm(anna, transfer, await hands.codeTo(anna))
    const code = await hands.codeTo({ email })

    await service.post('/api/auth/magic_link', { email })
    const link = await service.linkTo(email, 2)
    const page = await press(service, link)
    const token = /name="token" value="([^"]+)"/.exec(page.body)?.[1] ?? ''
    const choiceAnswer = await service.call('POST', '/auth/first_password/skip', {
      raw: new URLSearchParams({ token }).toString(),
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'sec-fetch-site': 'same-origin',
      },
    })
    const exchange = new URL(choiceAnswer.headers.get('location') ?? '').searchParams.get('code')
    const { access_token } = (await service.post('/api/auth/exchange', { code: exchange })).json<{
      access_token: string
    }>()
    const credentials = { headers: { authorization: `Bearer ${access_token}` } }
    const incomingAnswer = await service.get('/api/transfers/incoming', credentials)
    expect(incomingAnswer.json<TransferView[]>()).toMatchObject([{ id: transfer.id, email }])
    const path = hands.path(transfer, '/receiver_accept')
    expect((await service.post(path, { code }, credentials)).json()).toEqual([id])
    const account = await service.get('/api/account', credentials)
    const { user } = account.json<{ user: { id: string } }>()
    expect(await hands.ownerOf(id)).toEqual([user.id])
  })

  describe('between accounts without a mailbox', () => {
    const named = () =>
      register(service, { email: undefined, alternate_id: newEmail(), source: 'a wallet' })
    /** A begun transfer to the key of another such account. */
    const begin = async () => {
      const [anna, bert] = [await named(), await named()]
      const id = await insertOwnedId(service, anna.id)
      const body = { eid: id, pubkey: await pubkeyOf(bert) }
      const transfer = await hands.post(anna, body)
      expect(transfer.email).toBe('')
      return { anna, bert, id, transfer }
    }

    it('a transfer between accounts without a mailbox is confirmed and accepted with the passwords, and the recipient gets notifications', async () => {
      const { anna, bert, id, transfer } = await begin()
      const noMail = [422, 'no_mail']
      expect(outcomeOf(await anna.post(hands.path(transfer, '/resend_code')))).toEqual(noMail)
      expect(outcomeOf(await hands.confirm(anna, transfer, ''))).toEqual([422, 'wrong_code'])
      expect((await hands.confirm(anna, transfer, anna.password)).status).toBe(200)
      expect(outcomeOf(await bert.post(hands.path(transfer, '/resend_code')))).toEqual(noMail)
      const wrongAnswer = await hands.accept(bert, transfer, 'another password')
      expect(outcomeOf(wrongAnswer)).toEqual([422, 'wrong_code'])
      expect(wrongAnswer.json()['error']).toContain('This password is wrong.')
      expect((await hands.accept(bert, transfer, bert.password)).json()).toEqual([id])
      expect(await hands.ownerOf(id)).toEqual([bert.id])
      const { data } = (await bert.get('/api/account/notifications')).json<{
        data: { title: string; text: string }[]
      }>()
      const titles = data.map(({ title }) => title)
      expect(titles).toEqual([`${id} is yours now`, `${id} is offered to you`])
      expect(data[1]?.text).not.toContain('email')
    })

    it('a transfer between accounts without a mailbox is closed by five wrong passwords, which count as failed sign-ins', async () => {
      const { anna, transfer } = await begin()
      for (let n = 0; n < 5; n++)
        expect(outcomeOf(await hands.confirm(anna, transfer, `guess ${n}`))).toEqual([
          422,
          'wrong_code',
        ])
      expect(await hands.stateOf(transfer)).toBe('closed')
      const failures = await service.db.selectFrom('login_failures').select('failures').execute()
      expect(Math.max(...failures.map((row) => row.failures))).toBeGreaterThanOrEqual(5)
    })

    it('a transfer between accounts without a mailbox is declined by the recipient and cancelled by the sender without a code', async () => {
      for (const side of ['anna', 'bert'] as const) {
        const transfer = await begin()
        expect((await transfer[side].delete(hands.path(transfer.transfer))).status).toBe(200)
        expect(await hands.stateOf(transfer.transfer)).toBe('closed')
      }
    })

    it('a transfer between accounts without a mailbox takes codes of the app once there is one, and does not count used ones as wrong', async () => {
      const { anna, bert, id, transfer } = await begin()
      const { app } = await enableApp(service, anna)
      // A code that was just used to sign in is no guess: more than five of them close nothing.
      const code = app.next()
      const signedIn = await enterCode(service, anna.tokens, code)
      for (let n = 0; n < 6; n++) {
        expect(outcomeOf(await hands.confirm(signedIn, transfer, code))).toEqual([422, 'used_code'])
      }
      const wrongAnswer = await hands.confirm(signedIn, transfer, app.wrong())
      expect(outcomeOf(wrongAnswer)).toEqual([422, 'wrong_code'])
      const passwordAnswer = await hands.confirm(signedIn, transfer, anna.password)
      expect(outcomeOf(passwordAnswer)).toEqual([400, 'malformed_code'])
      expect((await hands.confirm(signedIn, transfer, app.next())).status).toBe(200)
      const { app: other } = await enableApp(service, bert)
      expect((await hands.accept(bert, transfer, other.next())).json()).toEqual([id])
      expect(await hands.ownerOf(id)).toEqual([bert.id])
    })
  })
})

describe('an offer to an account that has not confirmed its address', () => {
  /** The address is registered, and an id is offered to it. */
  const offerToUnconfirmed = async () => {
    const [anna, bert] = [await newUser(), await register(service)]
    const id = await insertOwnedId(service, anna.id)
    const transfer = await hands.post(anna, { eid: id, email: bert.email })
    await hands.confirm(anna, transfer, await hands.codeTo(anna))
    return { anna, bert, id, transfer, code: await hands.codeTo(bert) }
  }
  const isConfirmed = async (person: Person) => {
    const { user } = (await person.get('/api/account')).json<{
      user: { email_verified_at: string | null }
    }>()
    return user.email_verified_at !== null
  }
  const confirmBy = (person: Person, code: string) =>
    person.post('/api/transfers/incoming/confirm_email', { code })

  it('an offer to an account that has not confirmed its address is accepted with the emailed code, which confirms the address', async () => {
    const { bert, id, transfer, code } = await offerToUnconfirmed()
    expect(outcomeOf(await hands.accept(bert, transfer, wrongCode(code)))).toEqual([
      422,
      'wrong_code',
    ])
    expect(await isConfirmed(bert)).toBe(false)
    expect((await hands.accept(bert, transfer, code)).json()).toEqual([id])
    expect(await isConfirmed(bert)).toBe(true)
    expect(await hands.ownerOf(id)).toEqual([bert.id])
  })

  it('is shown once its code confirms the address, and accepted with the same code', async () => {
    const { bert, id, transfer, code } = await offerToUnconfirmed()
    expect((await bert.get('/api/transfers/incoming')).json()).toEqual([])
    expect(outcomeOf(await confirmBy(bert, wrongCode(code)))).toEqual([422, 'wrong_code'])
    expect(await isConfirmed(bert)).toBe(false)
    const answer = await confirmBy(bert, code.toLowerCase())
    expect([answer.status, answer.json()]).toEqual([200, expect.objectContaining({ eid: id })])
    expect(await isConfirmed(bert)).toBe(true)
    expect((await bert.get('/api/transfers/incoming')).json()).toHaveLength(1)
    expect((await hands.accept(bert, transfer, code)).json()).toEqual([id])
  })

  it('confirms nothing with an expired code, with the code of another user or for a closed offer', async () => {
    const { anna, bert, transfer, code } = await offerToUnconfirmed()
    const other = await offerToUnconfirmed()
    expect(outcomeOf(await confirmBy(bert, other.code))).toEqual([422, 'wrong_code'])
    expect(outcomeOf(await confirmBy(anna, code))).toEqual([422, 'wrong_code'])
    await hands.age(transfer, 24 * 60 * minute)
    expect(outcomeOf(await confirmBy(bert, code))).toEqual([422, 'wrong_code'])
    expect(outcomeOf(await hands.accept(bert, transfer, code))).toEqual([422, 'late_code'])
    await hands.age(transfer, 0)
    await anna.delete(hands.path(transfer))
    expect(outcomeOf(await confirmBy(bert, code))).toEqual([422, 'wrong_code'])
    expect(await isConfirmed(bert)).toBe(false)
  })
})

describe('a transfer code', () => {
  it('a transfer code is sent again after a minute, which invalidates the previous one', async () => {
    stopTheClock()
    const { anna, transfer, code } = await hands.begun()
    const resend = () => anna.post(hands.path(transfer, '/resend_code'))
    const earlyAnswer = await resend()
    expect(outcomeOf(earlyAnswer)).toEqual([429, 'too_soon'])
    expect(Number(earlyAnswer.headers.get('retry-after'))).toBeGreaterThan(50)
    service.clock.advance(minute)
    const answer = await resend()
    expect([answer.status, answer.json()]).toEqual([200, {}])
    const next = await hands.codeTo(anna, 2)
    expect(outcomeOf(await hands.confirm(anna, transfer, code))).toEqual([422, 'wrong_code'])
    expect((await hands.confirm(anna, transfer, next)).status).toBe(200)
  })

  it('a transfer code is sent again only to the side that is next', async () => {
    const begunTransfer = await hands.inserted('awaiting_sender')
    const offeredTransfer = await hands.inserted('awaiting_receiver')
    service.clock.advance(minute)
    const resend = (by: Person, transfer: TransferView) =>
      by.post(hands.path(transfer, '/resend_code'))
    expect(outcomeOf(await resend(begunTransfer.bert, begunTransfer.transfer))).toEqual([
      422,
      'unconfirmed_transfer',
    ])
    expect(outcomeOf(await resend(offeredTransfer.anna, offeredTransfer.transfer))).toEqual([
      422,
      'confirmed_transfer',
    ])
    expect((await resend(offeredTransfer.bert, offeredTransfer.transfer)).status).toBe(200)
    const code = await hands.codeTo(offeredTransfer.bert)
    expect((await hands.accept(offeredTransfer.bert, offeredTransfer.transfer, code)).status).toBe(
      200,
    )
    expect(outcomeOf(await resend(offeredTransfer.bert, offeredTransfer.transfer))).toEqual([
      422,
      'accepted_transfer',
    ])
  })

  it('a transfer code of a recipient is valid for a day', async () => {
    const { bert, transfer, code } = await hands.inserted('awaiting_receiver')
    await hands.age(transfer, 24 * 60 * minute)
    expect(outcomeOf(await hands.accept(bert, transfer, code))).toEqual([422, 'late_code'])
    await hands.age(transfer, 24 * 60 * minute - minute)
    expect((await hands.accept(bert, transfer, code)).status).toBe(200)
  })

  it('a transfer code of a sender is valid for a quarter of an hour', async () => {
    const { anna, transfer, code } = await hands.inserted('awaiting_sender')
    await hands.age(transfer, 15 * minute)
    for (let n = 0; n < 6; n++) {
      expect(outcomeOf(await hands.confirm(anna, transfer, code))).toEqual([422, 'late_code'])
    }
    await anna.post(hands.path(transfer, '/resend_code'))
    expect((await hands.confirm(anna, transfer, await hands.codeTo(anna))).status).toBe(200)
  })
})

describe('an operator', () => {
  it('an operator needs a reason, for which clients that know none send a message', async () => {
    const { anna, bert, id } = await hands.inserted('awaiting_sender')
    const forced = { eid: id, email: bert.email, force_transfer: true }
    for (const more of [{}, { message: null }, { message: ' ' }, { message: '\u200b'.repeat(3) }]) {
      const answer = await admin.post('/api/transfers', { ...forced, ...more })
      expect([answer.status, answer.json()['code']]).toEqual([422, 'missing_reason'])
    }
    expect((await admin.post('/api/transfers', { ...forced, reason: ' ' })).status).toBe(400)
    expect(await hands.ownerOf(id)).toEqual([anna.id])
    await hands.post(admin, { ...forced, message: 'Found your id again' })
    expect(await hands.ownerOf(id)).toEqual([bert.id])
    const audit = `/api/admin/audit?event=transfer.forced&emoji_id=${encodeURIComponent(id)}`
    expect((await admin.get(audit)).json()).toMatchObject({
      data: [{ details: { reason: 'Found your id again' } }],
    })
  })

  it('transfers an id immediately, even if it is blocked, with an audit entry', async () => {
    const { anna, bert, id, transfer } = await hands.inserted('awaiting_sender')
    await write(anna, id)
    const carl = await newUser()
    const body = {
      eid: id,
      email: carl.email,
      force_transfer: true,
      clear_on_transfer: true,
      reason: 'Support',
    }
    const forcedTransfer = await hands.post(admin, body)
    expect(forcedTransfer).toMatchObject({ recipient_id: carl.id, accepted_at: expect.any(String) })
    expect(await hands.ownerOf(id)).toEqual([carl.id])
    expect(await recordsOf(service, id)).toEqual([])
    expect(await hands.stateOf(transfer)).toBe('closed')
    const audit = `/api/admin/audit?event=transfer.forced&subject_id=${anna.id}`
    const { data } = (await admin.get(audit)).json<{ data: object[] }>()
    expect(data).toMatchObject([
      { actor_id: admin.id, details: { emoji_id: id, recipient_id: carl.id } },
    ])
    // Also an id that was just transferred.
    const returnTransfer = {
      eid: id,
      pubkey: await pubkeyOf(bert),
      force_transfer: true,
      reason: 'Support',
    }
    expect((await admin.post('/api/transfers', returnTransfer)).status).toBe(200)
    expect(await hands.ownerOf(id)).toEqual([bert.id])
  })

  it('sends one email to each side, without an alarm to the former owner', async () => {
    const { anna, bert, id } = await hands.inserted('awaiting_receiver')
    await write(anna, id)
    await service.settle()
    const before = service.mailsTo(anna.email).length
    const email = newEmail()
    await hands.post(admin, { eid: id, email, force_transfer: true, reason: 'Support' })
    await service.settle()
    const [mail, ...more] = service.mailsTo(anna.email).slice(before)
    expect([mail?.subject, more]).toEqual([`An operator transferred ${id}`, []])
    expect(mail?.text).not.toMatch(/act now|need to do anything/)
    expect(mailOf(bert, `Update on the transfer of ${id}`)).toContain(
      'because an operator transferred the emoji id',
    )
    expect(service.mailsTo(email).map(({ subject }) => subject)).toEqual([`${id} is yours now`])
    const text = mailOf({ email }, `${id} is yours now`)
    expect(text).toContain('An operator transferred the emoji id')
    expect(text).toContain(`BTC ${bitcoin}`)
    expect(text).toContain('We created an account for this address')
  })

  it('notifies the power roles of an organization whose id was moved', async () => {
    const organization = await admin.post('/api/admin/organizations', { name: 'Crabs' })
    const organization_id = organization.json<{ id: string }>().id
    const [owner, bert] = [await newUser(), await newUser()]
    const path = `/api/admin/organizations/${organization_id}/members/${owner.id}`
    expect((await admin.put(path, { role: 'OrgOwner' })).status).toBe(200)
    const id = await grant(admin, { organization_id })
    await hands.post(admin, { eid: id, email: bert.email, force_transfer: true, reason: 'Support' })
    await service.settle()
    expect(mailOf(owner, `An operator transferred ${id}`)).toContain('to another account')
    expect(mailOf(admin, `${id} is no longer yours`)).toBeUndefined()
  })

  it('an operator cannot move an id to an unconfirmed mailbox', async () => {
    const [anna, impostor] = [await newUser(), await register(service)]
    const id = await insertOwnedId(service, anna.id)
    const body = { eid: id, email: impostor.email, force_transfer: true, reason: 'Support' }
    expect(outcomeOf(await admin.post('/api/transfers', body))).toEqual([422, 'unconfirmed_email'])
    const invited = { ...body, email: newEmail() }
    expect((await admin.post('/api/transfers', invited)).status).toBe(200)
  })

  it('an operator is required: for other users the flag has no effect', async () => {
    // Null in optional members is as absent.
    const nulls = { pubkey: null, message: null, clear_on_transfer: null }
    const { id, anna, transfer } = await hands.begun({ force_transfer: true, ...nulls })
    expect(transfer).toMatchObject({ accepted_at: null, clear_on_transfer: false, message: null })
    expect(await hands.ownerOf(id)).toEqual([anna.id])
    const response = await admin.post('/api/api_keys', { name: 'k', scopes: ['emoji::transfer'] })
    const headers = { 'x-api-key': response.json<{ api_key: string }>().api_key }
    const body = { eid: id, email: admin.email, force_transfer: true, reason: 'Support' }
    expect((await service.post('/api/transfers', body, { headers })).status).toBe(403)
  })
})

describe('a transfer request', () => {
  const bad: [string, (id: string, email: string) => object, number, string][] = [
    ['no receiver', (eid) => ({ eid }), 400, 'missing_receiver'],
    [
      'two receivers',
      (eid, email) => ({ eid, email, pubkey: 'a'.repeat(64) }),
      400,
      'missing_receiver',
    ],
    ['null for both', (eid) => ({ eid, email: null, pubkey: null }), 400, 'missing_receiver'],
    ['no address', (eid) => ({ eid, email: 'bert' }), 400, 'invalid_mail_address'],
    [
      'two addresses',
      (eid, email) => ({ eid, email: `${email},x@y.org` }),
      400,
      'invalid_mail_address',
    ],
    ['no key', (eid) => ({ eid, pubkey: 'f'.repeat(64) }), 400, 'invalid_pubkey'],
    ['half a key', (eid) => ({ eid, pubkey: 'f'.repeat(32) }), 400, 'invalid_request'],
    ['an unknown key', (eid) => ({ eid, pubkey: keyPair().pubkey }), 422, 'unclaimed_pubkey'],
    ['no id', (_, email) => ({ eid: 'x', email }), 400, 'unknown_emoji'],
    [
      'an id without an owner',
      (_, email) => ({ eid: newId(), email }),
      404,
      'unregistered_emoji_id',
    ],
    [
      'a control character',
      (eid, email) => ({ eid, email, message: 'a\u0007' }),
      400,
      'invalid_text',
    ],
    [
      'a long message',
      (eid, email) => ({ eid, email, message: 'a'.repeat(1_001) }),
      400,
      'invalid_request',
    ],
  ]
  it('a transfer request is rejected if it is malformed', async () => {
    const [anna, bert] = [await newUser(), await newUser()]
    const id = await insertOwnedId(service, anna.id)
    for (const [title, body, status, code] of bad) {
      const answer = await anna.post('/api/transfers', body(id, bert.email))
      expect(outcomeOf(answer), title).toEqual([status, code])
    }
  })

  it('a transfer request is rejected for a key that is only listed', async () => {
    const [anna, bert] = [await newUser(), await newUser()]
    const id = await insertOwnedId(service, anna.id)
    const { pubkey } = keyPair()
    expect((await bert.post(`/api/pubkeys/${pubkey}`)).status).toBe(200)
    expect(outcomeOf(await anna.post('/api/transfers', { eid: id, pubkey }))).toEqual([
      422,
      'unclaimed_pubkey',
    ])
  })

  it('a transfer request is rejected for the key of a deactivated user, even from operators', async () => {
    const [anna, bert] = [await newUser(), await newUser()]
    const id = await insertOwnedId(service, anna.id)
    const pubkey = await pubkeyOf(bert)
    await admin.post(`/api/admin/users/${bert.id}/deactivate`, { reason: 'stolen' })
    expect(outcomeOf(await anna.post('/api/transfers', { eid: id, pubkey }))).toEqual([
      422,
      'inactive_owner',
    ])
    const forced = { eid: id, email: bert.email, force_transfer: true, reason: 'Support' }
    expect(outcomeOf(await admin.post('/api/transfers', forced))).toEqual([422, 'inactive_owner'])
  })

  it('a transfer request is rejected after twenty within an hour', async () => {
    const anna = await newUser()
    const id = await insertOwnedId(service, anna.id)
    const email = (await newUser()).email
    const transfer = await hands.post(anna, { eid: id, email })
    await anna.delete(hands.path(transfer))
    const row = await service.db
      .selectFrom('transfers')
      .selectAll()
      .where('id', '=', transfer.id)
      .executeTakeFirstOrThrow()
    const copies = Array.from({ length: 18 }, () => ({ ...row, id: randomUUID() }))
    await service.db.insertInto('transfers').values(copies).execute()
    await anna.delete(hands.path(await hands.post(anna, { eid: id, email })))
    expect(outcomeOf(await anna.post('/api/transfers', { eid: id, email }))).toEqual([
      429,
      'too_many_transfers',
    ])
  })
})

describe('many offers to one mailbox', () => {
  it('many offers to one mailbox are rejected for all senders, whether or not its addresses have accounts', async () => {
    const name = `r-${randomUUID()}`
    const anna = await newUser()
    const id = await insertOwnedId(service, anna.id)
    const transfer = await hands.post(anna, { eid: id, email: `${name}+1@example.com` })
    await anna.delete(hands.path(transfer))
    const row = await service.db
      .selectFrom('transfers')
      .selectAll()
      .where('id', '=', transfer.id)
      .executeTakeFirstOrThrow()
    const { id: sender_id } = await newUser()
    const copies = Array.from({ length: 39 }, (_, n) => ({
      ...row,
      id: randomUUID(),
      sender_id,
      email: `${name}+${n}@Example.com`,
    }))
    await service.db.insertInto('transfers').values(copies).execute()
    for (const tag of ['+1', '+new', '']) {
      const email = `${name}${tag}@example.com`
      expect(outcomeOf(await anna.post('/api/transfers', { eid: id, email }))).toEqual([
        429,
        'too_many_transfers',
      ])
    }
    const other = await anna.post('/api/transfers', { eid: id, email: newEmail() })
    expect(other.status).toBe(200)
  })
})

describe('offers to one person that ended unaccepted', () => {
  it('are limited per key and per mailbox, so that no answer tells whether one account has both', async () => {
    const [anna, bert, carl] = [await newUser(), await newUser(), await newUser()]
    const id = await insertOwnedId(service, anna.id)
    let sent = 0
    /** Waits for the code of this offer. */
    const offer = async (to: object) => {
      const answer = await anna.post('/api/transfers', { eid: id, ...to })
      if (answer.status !== 200) return outcomeOf(answer)
      const transfer = answer.json<TransferView>()
      sent += 1
      const confirmed = await hands.confirm(anna, transfer, await hands.codeTo(anna, sent))
      await anna.delete(hands.path(transfer))
      return [confirmed.status]
    }
    const pubkey = await pubkeyOf(bert)
    for (let n = 0; n < 5; n++) expect(await offer({ pubkey })).toEqual([200])
    const refused = [429, 'too_many_transfers']
    expect(await offer({ pubkey: pubkey.toUpperCase() })).toEqual(refused)
    await service.settle()
    const mailed = service.mailsTo(bert.email).length
    expect(await offer({ email: bert.email })).toEqual([200])
    expect(await offer({ email: carl.email })).toEqual([200])
    // Bert is left in peace all the same.
    await service.settle()
    expect(service.mailsTo(bert.email)).toHaveLength(mailed)
    expect(hands.codesTo(carl.email)).toHaveLength(1)
    for (let n = 0; n < 4; n++) {
      expect(await offer({ email: bert.email })).toEqual([200])
    }
    const tagged = bert.email.replace('@', '+b@')
    for (const email of [bert.email, tagged]) expect(await offer({ email })).toEqual(refused)
  })
})

describe('an offer to the mailbox of a deactivated user', () => {
  it('an offer to the mailbox of a deactivated user gets the usual response, which reveals nothing, and sends no email', async () => {
    const [anna, bert] = [await newUser(), await newUser()]
    const id = await insertOwnedId(service, anna.id)
    await admin.post(`/api/admin/users/${bert.id}/deactivate`, { reason: 'stolen' })
    await service.settle()
    const before = service.mailsTo(bert.email).length
    const transfer = await hands.post(anna, { eid: id, email: bert.email })
    const sendAnswer = await hands.confirm(anna, transfer, await hands.codeTo(anna))
    expect([sendAnswer.status, sendAnswer.json()['sender_code_accepted_at']]).toEqual([
      200,
      expect.any(String),
    ])
    expect((await hands.accept(bert, transfer, 'AAAAAAAA')).status).toBe(401)
    await anna.delete(hands.path(transfer))
    await service.settle()
    expect(service.mailsTo(bert.email)).toHaveLength(before)
    expect(await hands.ownerOf(id)).toEqual([anna.id])
  })

  it('an offer to the mailbox of a deactivated user can be accepted with a new code once the account is active again', async () => {
    const [anna, bert] = [await newUser(), await newUser()]
    const id = await insertOwnedId(service, anna.id)
    const transfer = await hands.post(anna, { eid: id, email: bert.email })
    const setActive = (isActive: boolean) =>
      service.db
        .updateTable('users')
        .set({ deactivated_at: isActive ? null : new Date() })
        .where('id', '=', bert.id)
        .execute()
    await setActive(false)
    await hands.confirm(anna, transfer, await hands.codeTo(anna))
    await setActive(true)
    expect(outcomeOf(await hands.accept(bert, transfer, 'AAAAAAAA'))).toEqual([422, 'wrong_code'])
    service.clock.advance(minute)
    expect((await bert.post(hands.path(transfer, '/resend_code'))).status).toBe(200)
    expect((await hands.accept(bert, transfer, await hands.codeTo(bert))).json()).toEqual([id])
  })
})

/** An organization with an id and three members. */
const crabs = async () => {
  const organization = await admin.post('/api/admin/organizations', { name: 'Crabs' })
  const organization_id = organization.json<{ id: string }>().id
  const put = (person: Person, role: string) =>
    admin.put(`/api/admin/organizations/${organization_id}/members/${person.id}`, { role })
  const join = async (role: string) => {
    const person = await newUser()
    expect((await put(person, role)).status).toBe(200)
    return person
  }
  const id = await grant(admin, { organization_id })
  return {
    id,
    put,
    organization_id,
    owner: await join('OrgOwner'),
    controller: await join('OrgController'),
    member: await join('OrgMember'),
  }
}

describe('POST /transfers to the key of an organization', () => {
  /** A confirmed offer of an id to the organization. */
  const offerId = async (body: object = {}) => {
    const [anna, company] = [await newUser(), await crabs()]
    const eid = await insertOwnedId(service, anna.id)
    await write(anna, eid)
    const path = `/api/admin/organizations/${company.organization_id}`
    const { pubkey } = (await company.member.get(path)).json<{ pubkey: string }>()
    const transfer = await hands.post(anna, { eid, pubkey, ...body })
    const confirmationAnswer = await hands.confirm(anna, transfer, await hands.codeTo(anna))
    expect(confirmationAnswer.status).toBe(200)
    return { ...company, anna, eid, transfer, pubkey }
  }
  const incomingOf = async (person: Person) =>
    (await person.get('/api/transfers/incoming')).json<TransferView[]>().map(({ id }) => id)

  it('POST /transfers to the key of an organization is accepted by a power role with the emailed code', async () => {
    const { anna, eid, transfer, pubkey, owner, controller, member, organization_id } =
      await offerId()
    const [shownTransfer] = (await controller.get('/api/transfers/incoming')).json<TransferView[]>()
    expect(shownTransfer).toMatchObject({ recipient_id: organization_id, email: '' })
    expect(transfer.recipient_id).not.toBe(organization_id)
    const code = await hands.codeTo(controller)
    expect(await hands.codeTo(owner)).toBe(code)
    type LoadAnswer = {
      incoming_transfers: TransferView[]
      current_user: { pending_transfers: string[] }
    }
    const loadedBy = async (person: Person) => {
      const loaded = (await person.get('/api/account/load')).json<LoadAnswer>()
      return [loaded.incoming_transfers.map(({ id }) => id), loaded.current_user.pending_transfers]
    }
    expect(await incomingOf(controller)).toEqual([transfer.id])
    expect(await loadedBy(controller)).toEqual([[transfer.id], [eid]])
    expect(await incomingOf(member)).toEqual([])
    for (const stranger of [member, anna, admin, await newUser()])
      expect((await hands.accept(stranger, transfer, code)).status).toBeOneOf([403, 404])

    expect((await hands.accept(controller, transfer, code)).json()).toEqual([eid])
    expect(await proofOf(service, eid)).toMatchObject({ pubkey })
    const query = `organization_id=${organization_id}`
    expect((await owner.get(`/api/emoji_id?${query}`)).json()).toContain(eid)
    expect(await recordsOf(service, eid)).toHaveLength(1)
    await service.settle()
    expect(mailOf(owner, `${eid} belongs to your organization now`)).toContain(bitcoin)
    expect(mailOf(member, `${eid} belongs to your organization now`)).toBeUndefined()
  })

  it('needs the power role at the time of acceptance, resends the code to all of them, and is declined by one', async () => {
    const { anna, eid, transfer, controller, owner, member, put } = await offerId()
    await put(controller, 'OrgMember')
    const code = await hands.codeTo(controller)
    expect((await hands.accept(controller, transfer, code)).status).toBe(404)
    service.clock.advance(minute)
    expect((await controller.post(hands.path(transfer, '/resend_code'))).status).toBe(404)
    expect((await owner.post(hands.path(transfer, '/resend_code'))).status).toBe(200)
    const next = await hands.codeTo(owner, 2)
    expect(hands.codesTo(controller.email)).toEqual([code])
    expect((await member.delete(hands.path(transfer))).status).toBe(404)
    expect((await owner.delete(hands.path(transfer))).status).toBe(200)
    const late = await hands.accept(owner, transfer, next)
    expect(outcomeOf(late)).toEqual([422, 'closed_transfer'])
    expect(await hands.ownerOf(eid)).toEqual([anna.id])
  })

  it('POST /transfers to the key of an organization is refused for an id of the same organization, and forced by operators', async () => {
    const { id, controller, organization_id } = await crabs()
    const { pubkey } = await proofOf(service, id)
    const body = { eid: id, pubkey }
    expect(outcomeOf(await controller.post('/api/transfers', body))).toEqual([422, 'to_self'])
    const anna = await newUser()
    const eid = await insertOwnedId(service, anna.id)
    const forcedTransfer = await hands.post(admin, {
      eid,
      pubkey,
      force_transfer: true,
      reason: 'Support',
    })
    expect(forcedTransfer.recipient_id).toBe(organization_id)
    expect(await proofOf(service, eid)).toMatchObject({ pubkey })
  })
})

describe('DELETE /transfers/{transfer_id} by the recipient', () => {
  it('declines an open transfer, emails the sender and changes no owner', async () => {
    const { anna, bert, id, transfer, code } = await hands.inserted('awaiting_receiver')
    const answer = await bert.delete(hands.path(transfer))
    expect(answer.status).toBe(200)
    expect(answer.json<TransferView>().deleted_at).not.toBeNull()
    expect(outcomeOf(await hands.accept(bert, transfer, code))).toEqual([422, 'closed_transfer'])
    expect(await hands.ownerOf(id)).toEqual([anna.id])
    await service.settle()
    expect(mailOf(anna, `Update on the transfer of ${id}`)).toContain(
      'was declined by the recipient',
    )
    // The id is free for another transfer.
    expect((await anna.post('/api/transfers', { eid: id, email: bert.email })).status).toBe(200)
  })

  it('DELETE /transfers/{transfer_id} by the recipient is refused to an account that has not confirmed the address', async () => {
    const [anna, impostor] = [await newUser(), await register(service)]
    const id = await insertOwnedId(service, anna.id)
    const transfer = await hands.post(anna, { eid: id, email: impostor.email })
    const answer = await impostor.delete(hands.path(transfer))
    expect(outcomeOf(answer)).toEqual([422, 'unconfirmed_email'])
    expect(await hands.stateOf(transfer)).toBe('awaiting_sender')
  })
})

describe('an id of an organization', () => {
  it('an id of an organization is transferred by its power roles, and the others are emailed and can stop it', async () => {
    const { id, owner, controller, member } = await crabs()
    const bert = await newUser()
    const body = { eid: id, email: bert.email }
    expect((await member.post('/api/transfers', body)).status).toBe(403)
    expect((await admin.post('/api/transfers', body)).status).toBe(403)
    const transfer = await hands.post(controller, body)
    expect((await hands.confirm(controller, transfer, await hands.codeTo(controller))).status).toBe(
      200,
    )
    await expect
      .poll(() => service.mailsTo(owner.email).some(({ text }) => text?.includes(transfer.id)))
      .toBe(true)
    expect((await member.delete(hands.path(transfer))).status).toBe(404)
    expect((await owner.delete(hands.path(transfer))).status).toBe(200)
    const late = await hands.accept(bert, transfer, await hands.codeTo(bert))
    expect(outcomeOf(late)).toEqual([422, 'closed_transfer'])

    const secondTransfer = await hands.post(owner, body)
    await hands.confirm(owner, secondTransfer, await hands.codeTo(owner))
    expect((await hands.accept(bert, secondTransfer, await hands.codeTo(bert, 2))).status).toBe(200)
    expect(await hands.ownerOf(id)).toEqual([bert.id])
  })

  it('an id of an organization does not move once its sender has lost the role', async () => {
    const { id, controller, put } = await crabs()
    const bert = await newUser()
    const transfer = await hands.post(controller, { eid: id, email: bert.email })
    await hands.confirm(controller, transfer, await hands.codeTo(controller))
    await put(controller, 'OrgMember')
    const code = await hands.codeTo(bert)
    expect(outcomeOf(await hands.accept(bert, transfer, code))).toEqual([422, 'closed_transfer'])
    expect(await hands.ownerOf(id)).toEqual([null])
  })

  it('an id of an organization does not move after its sender was deactivated', async () => {
    const { anna, bert, transfer, code, id } = await hands.inserted('awaiting_receiver')
    await admin.post(`/api/admin/users/${anna.id}/deactivate`, { reason: 'stolen' })
    expect(outcomeOf(await hands.accept(bert, transfer, code))).toEqual([422, 'closed_transfer'])
    expect(await hands.ownerOf(id)).toEqual([anna.id])
  })
})

it('wrong codes in one state do not count in the next', async () => {
  const { anna, bert, transfer, code } = await hands.inserted('awaiting_sender')
  for (let n = 0; n < 4; n++) await hands.confirm(anna, transfer, wrongCode(code))
  expect((await hands.confirm(anna, transfer, code)).status).toBe(200)
  const next = await hands.codeTo(bert)
  for (let n = 0; n < 4; n++) await hands.accept(bert, transfer, wrongCode(next))
  expect((await hands.accept(bert, transfer, next)).status).toBe(200)
})

describe('a second factor', () => {
  it('a second factor is required again before a transfer is offered, confirmed or accepted', async () => {
    const { anna, bert, transfer, code, id } = await hands.inserted('awaiting_sender')
    await enableApp(service, anna)
    await enableApp(service, bert)
    service.clock.advance(301_000)
    const bodies = [
      anna.post('/api/transfers', { eid: id, email: bert.email }),
      hands.confirm(anna, transfer, code),
      hands.accept(bert, transfer, code),
    ]
    for (const answer of await Promise.all(bodies)) {
      expect(outcomeOf(answer)).toEqual([424, 'two_factor_required'])
    }
    expect(await hands.stateOf(transfer)).toBe('awaiting_sender')
  })
})
