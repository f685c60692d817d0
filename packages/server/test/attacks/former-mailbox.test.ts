import { Wallet } from 'ethers'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addJob } from '../../src/platform/jobs/jobs.ts'
import { at, grant, insertOwnedId, newId, recordsOf } from '../support/ids.ts'
import { inviteMember } from '../support/members.ts'
import { insertPaidOrder } from '../support/paid-orders.ts'
import {
  callsWith,
  callsWithKey,
  goodPassword,
  logIn,
  type MailedService,
  newcomer,
  newEmail,
  type Person,
  press,
  register,
  registerAs,
  setNewPassword,
  submit,
} from '../support/people.ts'
import { stopRefillInTest } from '../support/refill.ts'
import { enableApp, enterCode } from '../support/second-factor.ts'
import { sharedMailedService } from '../support/shared-service.ts'

let service: MailedService
let admin: Person
beforeAll(async () => {
  service = await sharedMailedService()
})
// Sessions expire while these tests move the clock.
beforeEach(async () => {
  admin = await registerAs(service, 'Admin')
})

type Caller = Pick<Person, 'get' | 'post' | 'patch' | 'put' | 'delete'>
type Owner = Pick<Person, 'id' | 'email'> & Caller
const hour = 60 * 60_000
const owners = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'
const thiefs = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
const subjects = {
  changed: 'Your email address was changed',
  removed: 'Your email address was removed from an account',
  key: 'An API key was created',
}
const pay = (by: Caller, id: string, data: string) =>
  by.patch(at(id), { insert: [{ tag: '0x1003', data }] })
const dataOf = async (id: string) => (await recordsOf(service, id)).map(({ data }) => data)
const setLock = (by: Caller, id: string, hours: number) => by.put(at(id, '/delay_lock'), { hours })
const lockOf = async (by: Caller, id: string) =>
  (await by.get(at(id, '/delay_lock'))).json<{
    hours: number
    next_hours: number | null
    waiting: object | null
  }>()
const statusAndCode = (answer: { status: number; json(): Record<string, unknown> }) => [
  answer.status,
  answer.json()['code'],
]
const newOwner = () => newcomer(service, { password: goodPassword, isVerified: true })
const accountOf = async (by: Caller) =>
  (await by.get('/api/account')).json<{
    user: { email: string; two_factor_auth: string[] | null }
  }>().user

/** The newest email with this in its subject, and the path of its link to the page. */
async function mailTo(email: string, subject: string, page = 'not_me') {
  await service.settle()
  const mail = service.mailsTo(email).findLast((one) => one.subject?.includes(subject))
  const link = new RegExp(`(/auth/${page}\\?token=\\S+)`).exec(mail?.text ?? '')?.[1]
  return { text: mail?.text ?? '', link: link ?? '' }
}
const takeBackLink = async (email: string) => (await mailTo(email, subjects.changed)).link

async function confirmChange(by: Caller, email = newEmail()) {
  service.clock.advance(1_000)
  const body = { email, current_password: goodPassword }
  expect((await by.patch('/api/account', body)).status).toBe(200)
  expect((await press(service, await service.linkTo(email))).status).toBe(200)
  service.clock.advance(1_000)
  return email
}

/** A thief with the owner's password confirms an address of their own, and signs in with it. */
async function steal({ id, email: owner }: Pick<Person, 'id' | 'email'>) {
  const session = await logIn(service, { email: owner, password: goodPassword })
  const email = await confirmChange(session)
  return { id, email, ...(await logIn(service, { email, password: goodPassword })) }
}
const stolen = async () => {
  const owner = await newOwner()
  return { owner, thief: await steal(owner), link: await takeBackLink(owner.email) }
}
const expectTakenBack = async (owner: Pick<Person, 'email'>) =>
  expect((await accountOf(await setNewPassword(service, owner.email))).email).toBe(owner.email)

describe('the former mailbox of an account', () => {
  it('the former mailbox of an account takes the change back by a button, once, and leaves the thief nothing', async () => {
    const { owner, thief, link } = await stolen()
    const key = await callsWithKey(service, thief)
    const thiefsNotice = await mailTo(thief.email, subjects.key)
    expect(thiefsNotice.link).not.toBe('')
    const page = await service.get(link)
    expect(page.status).toBe(200)
    expect(page.body).toContain(`<strong>${owner.email}</strong>`)
    expect((await accountOf(thief)).email).toBe(thief.email)

    expect((await press(service, link)).body).toContain(owner.email)
    expect((await thief.get('/api/account')).status).toBe(401)
    expect((await key.get('/api/account')).status).toBe(401)
    for (const email of [thief.email, owner.email]) {
      const attempt = { email, password: goodPassword }
      expect((await service.post('/api/auth/token', attempt)).status).toBe(401)
    }
    for (const used of [link, thiefsNotice.link]) {
      expect((await press(service, used)).status).toBe(422)
    }
    const { text } = await mailTo(thief.email, subjects.removed)
    expect(text).not.toMatch(/token=/)
    await service.post('/api/auth/password_reset', { email: thief.email })
    await expectTakenBack(owner)
    expect(service.mailsTo(thief.email).map(({ subject }) => subject)).not.toContain(
      'Set a new password',
    )
  })

  it('the former mailbox of an account can take it back for three days, and loses the address after that', async () => {
    const { owner, thief, link } = await stolen()
    service.clock.advance(72 * hour - 60_000)
    expect((await service.get(link)).status).toBe(200)
    const email = owner.email.toUpperCase()
    expect((await service.post('/api/users', { email })).status).toBe(422)
    service.clock.advance(60_000)
    expect((await press(service, link)).status).toBe(422)
    expect((await service.post('/api/users', { email })).status).toBe(200)
    service.clock.advance(25 * hour)
    await addJob(service.db, 'links.purge', {})
    await service.settle()
    const kept = service.db.selectFrom('links').select('data').where('user_id', '=', thief.id)
    expect(JSON.stringify(await kept.execute())).not.toContain(owner.email)
  })

  it('the former mailbox of an account gets the notices as well, and the present one alone gets codes and sign-ins', async () => {
    const { owner, thief, link } = await stolen()
    await callsWithKey(service, thief)
    await enableApp(service, thief)
    const [ownersKey, thiefsKey] = [
      await mailTo(owner.email, subjects.key),
      await mailTo(thief.email, subjects.key),
    ]
    expect(ownersKey.link).not.toBe(thiefsKey.link)
    expect((await mailTo(owner.email, 'second factor')).link).not.toBe('')
    for (const email of [owner.email, thief.email]) {
      await service.post('/api/auth/password_reset', { email })
      await service.post('/api/auth/magic_link', { email })
    }
    await setNewPassword(service, thief.email).catch(() => undefined)
    const subjectsTo = (email: string) => service.mailsTo(email).map(({ subject }) => subject)
    expect(subjectsTo(thief.email)).toContain('Set a new password')
    expect(subjectsTo(owner.email)).not.toContain('Set a new password')
    expect(subjectsTo(owner.email)).not.toContain('Sign in with your password')
    // One event is one notification of the account.
    const shown = service.db
      .selectFrom('notifications')
      .select('title')
      .where('user_id', '=', owner.id)
      .where('title', '=', subjects.key)
    expect(await shown.execute()).toHaveLength(1)
    // A reset by the thief voids nothing.
    expect((await press(service, ownersKey.link)).status).toBe(200)
    expect((await press(service, link)).status).toBe(422)
    const { two_factor_auth } = await accountOf(await setNewPassword(service, owner.email))
    expect(two_factor_auth).toBeNull()
  })

  it('reverts locks, second factors, passkeys, wallets and members since the change, and nothing older', async () => {
    const owner = await newOwner()
    const [id, other] = [
      await grant(admin, { user_id: owner.id }),
      await grant(admin, { user_id: owner.id }),
    ]
    await setLock(owner, id, 2)
    const boss = await registerAs(service, 'Super')
    const organization = await boss.post('/api/admin/organizations', { name: 'Crabs' })
    const { id: organization_id } = organization.json<{ id: string }>()
    const members = `/api/admin/organizations/${organization_id}/members`
    expect((await boss.put(`${members}/${owner.id}`, { role: 'OrgOwner' })).status).toBe(200)
    const thief = await steal(owner)
    const link = await takeBackLink(owner.email)
    for (const hours of [5, 72]) await setLock(thief, id, hours)
    await setLock(thief, other, 72)
    const friend = await newOwner()
    await inviteMember(thief, organization_id, friend, 'OrgMember')
    const powers = [
      await thief.put(`${members}/${friend.id}`, { role: 'OrgController' }),
      await thief.post(`/api/admin/organizations/${organization_id}/invitations`, {
        email: newEmail(),
        role: 'OrgOwner',
      }),
    ]
    for (const { status, json } of powers) {
      expect([status, json()['code']]).toEqual([422, 'recent_email_change'])
    }
    const wallet = Wallet.createRandom()
    const text = `Connect this wallet to my Emoji Id Directory account ${owner.id}.`
    const signature = await wallet.signMessage(text)
    expect((await thief.post('/api/wallets', { signature, source: 'Dashboard' })).status).toBe(200)
    await enableApp(service, thief)

    expect((await press(service, link)).status).toBe(200)
    const back = await setNewPassword(service, owner.email)
    expect((await accountOf(back)).two_factor_auth).toBeNull()
    expect((await back.get('/api/wallets')).json()).toEqual([])
    expect(await lockOf(back, id)).toMatchObject({ hours: 2 })
    expect(await lockOf(back, other)).toMatchObject({ hours: 0 })
    expect((await back.get(members)).json()).toMatchObject([{ user_id: owner.id }])
  })

  it('the former mailbox of an account gets the account back by any later notice, also after a new password', async () => {
    const { owner, thief } = await stolen()
    await callsWithKey(service, thief)
    const { link } = await mailTo(owner.email, subjects.key)
    expect((await service.get(link)).body).toContain(`<strong>${owner.email}</strong>`)
    const body = { password: 'a password of the thief', current_password: goodPassword }
    expect((await thief.patch('/api/account', body)).status).toBe(200)
    expect((await press(service, link)).status).toBe(200)
    await expectTakenBack(owner)
  })

  it('learns that the removal of a second factor began, without the link for it', async () => {
    const owner = await newOwner()
    const { app } = await enableApp(service, owner)
    const email = newEmail()
    service.clock.advance(1_000)
    const session = await logIn(service, { email: owner.email, password: goodPassword })
    const { tokens } = await enterCode(service, session.tokens, app.next())
    const thief = callsWith(service, tokens)
    const body = { email, current_password: goodPassword }
    expect((await thief.patch('/api/account', body)).status).toBe(200)
    expect((await press(service, await service.linkTo(email))).status).toBe(200)
    expect((await submit(service, '/auth/lost_factor', { email })).status).toBe(200)
    const begin = await mailTo(email, 'lost second factor', 'recover_factor')
    expect((await press(service, begin.link)).status).toBe(200)
    const subject = 'Your second factor can be removed soon'
    expect((await mailTo(email, subject, 'recover_factor/finish')).link).not.toBe('')
    const { text } = await mailTo(owner.email, subject)
    expect([text.includes('take the change of the address back'), text.includes('token=')]).toEqual(
      [true, false],
    )
    const finish = await mailTo(email, subject, 'recover_factor/finish')
    expect((await press(service, await takeBackLink(owner.email))).status).toBe(200)
    service.clock.advance(73 * hour)
    expect((await press(service, finish.link)).status).toBe(422)
  })

  it('keeps its power through further changes, of which few are possible', async () => {
    const { owner, thief, link } = await stolen()
    const second = await confirmChange(thief)
    const again = await logIn(service, { email: second, password: goodPassword })
    const third = await confirmChange(again)
    const last = await logIn(service, { email: third, password: goodPassword })
    const body = { email: newEmail(), current_password: goodPassword }
    expect(statusAndCode(await last.patch('/api/account', body))).toEqual([429, 'too_many_changes'])

    // A later mailbox takes back its own part only.
    expect((await press(service, await takeBackLink(thief.email))).status).toBe(200)
    expect((await service.get(await takeBackLink(second))).status).toBe(422)
    await callsWithKey(service, await setNewPassword(service, thief.email))
    expect((await mailTo(owner.email, subjects.key)).link).not.toBe('')
    expect((await press(service, link)).status).toBe(200)
    await expectTakenBack(owner)
  })

  it('that confirms the way back itself leaves the later mailbox no power', async () => {
    const { owner, thief } = await stolen()
    await service.settle()
    const body = { email: owner.email, current_password: goodPassword }
    expect((await thief.patch('/api/account', body)).status).toBe(200)
    const { link } = await mailTo(owner.email, 'Confirm your new email address', 'change_email')
    expect((await press(service, link)).status).toBe(200)
    expect((await mailTo(thief.email, subjects.changed)).link).toBe('')
    expect((await mailTo(thief.email, subjects.removed)).link).toBe('')
    const back = await logIn(service, { email: owner.email, password: goodPassword })
    expect((await accountOf(back)).email).toBe(owner.email)
    const eid = await grant(admin, { user_id: owner.id })
    const sending = await back.post('/api/transfers', { eid, email: newEmail() })
    expect(sending.status).toBe(200)
  })

  it('the former mailbox of an account is named with its time in the account, its export and to operators', async () => {
    const { owner, thief } = await stolen()
    type Named = { former_emails: { email: string; until: string }[] }
    const { user } = (await thief.get('/api/account')).json<{ user: Named }>()
    const [named] = user.former_emails
    expect(named?.email).toBe(owner.email)
    const restMs = Date.parse(named?.until ?? '') - service.clock.now().getTime()
    expect(restMs).toBeGreaterThan(71.9 * hour)
    const seen = (await admin.get(`/api/users/${owner.id}`)).json<Named>()
    expect(seen.former_emails).toEqual(user.former_emails)
    const { account } = (await thief.get('/api/account/export')).json<{ account: object }>()
    expect(account).toMatchObject({ former_emails: [owner.email] })
    service.clock.advance(72 * hour)
    const later = await logIn(service, { email: thief.email, password: goodPassword })
    expect(await accountOf(later)).toMatchObject({ former_emails: [] })
  })

  it('keeps its address from other accounts meanwhile', async () => {
    const { owner, thief, link } = await stolen()
    const [stranger, sender] = [await newOwner(), await newOwner()]
    const email = owner.email.toUpperCase()
    const request = { email, current_password: goodPassword }
    expect(statusAndCode(await stranger.patch('/api/account', request))).toEqual([
      422,
      'uniqueness',
    ])
    const eid = await grant(admin, { user_id: sender.id })
    expect((await sender.post('/api/transfers', { eid, email })).status).toBe(422)
    const registration = { email, password: goodPassword }
    expect((await service.post('/api/users', registration)).status).toBe(422)
    expect((await accountOf(thief)).email).toBe(thief.email)
    expect((await press(service, link)).status).toBe(200)
    await expectTakenBack(owner)
  })

  it('the former mailbox of an account has no power if it was never confirmed', async () => {
    const stranger = await register(service)
    await callsWithKey(service, stranger)
    const { link: before } = await mailTo(stranger.email, subjects.key)
    const request = { email: newEmail(), current_password: goodPassword }
    expect((await stranger.patch('/api/account', request)).status).toBe(200)
    expect((await press(service, await service.linkTo(request.email))).status).toBe(200)
    const { text, link } = await mailTo(stranger.email, subjects.changed)
    expect([text.includes('We no longer send'), link]).toEqual([true, ''])
    expect((await press(service, before)).status).toBe(422)
    expect((await service.post('/api/users', { email: stranger.email })).status).toBe(200)
  })

  it('has the same power when an operator requested the change, and none in an account that is deactivated or deleted', async () => {
    const [first, second, third] = [await newOwner(), await newOwner(), await newOwner()]
    const boss = await registerAs(service, 'Super')
    const links: string[] = []
    for (const person of [first, second, third]) {
      const email = newEmail()
      const body = { email, reason: 'asked for by phone' }
      expect((await boss.patch(`/api/users/${person.id}`, body)).status).toBe(200)
      expect((await press(service, await service.linkTo(email))).status).toBe(200)
      links.push(await takeBackLink(person.email))
    }
    const [own = '', ofDeactivated = '', ofDeleted = ''] = links
    const reason = { reason: 'stolen' }
    const deactivation = await boss.post(`/api/admin/users/${second.id}/deactivate`, reason)
    expect(deactivation.status).toBe(200)
    expect((await boss.delete(`/api/users/${third.id}?reason=stolen`)).status).toBe(200)
    expect((await press(service, own)).status).toBe(200)
    for (const link of [ofDeactivated, ofDeleted])
      expect((await press(service, link)).status).toBe(422)
    expect((await service.post('/api/users', { email: third.email })).status).toBe(200)
  })
})

describe('an id with a delay lock, after a thief changed the email address', () => {
  const locked = async () => {
    const owner = await newOwner()
    const id = await grant(admin, { user_id: owner.id })
    await pay(owner, id, owners)
    await setLock(owner, id, 72)
    return { owner, id, thief: await steal(owner) }
  }

  it('keeps its delay, and the former mailbox cancels changes and keeps the lock', async () => {
    const { owner, id, thief } = await locked()
    await pay(thief, id, thiefs)
    const change = await mailTo(owner.email, id.slice(0, 1), 'cancel_change')
    expect((await mailTo(thief.email, id.slice(0, 1), 'cancel_change')).link).not.toBe(change.link)
    await setLock(thief, id, 0)
    const lock = await mailTo(owner.email, id.slice(0, 1), 'keep_delay')
    service.clock.advance(71 * hour)
    expect(await dataOf(id)).toEqual([owners])
    for (const { link } of [change, lock]) expect((await press(service, link)).status).toBe(200)
    const now = await logIn(service, { email: thief.email, password: goodPassword })
    expect(await lockOf(now, id)).toMatchObject({ hours: 72, next_hours: null, waiting: null })
    service.clock.advance(2 * hour)
    expect(await dataOf(id)).toEqual([owners])
  })

  it('loses the planned changes of the thief when the change is taken back', async () => {
    const { owner, id, thief } = await locked()
    await pay(thief, id, thiefs)
    await setLock(thief, id, 1)
    expect((await press(service, await takeBackLink(owner.email))).status).toBe(200)
    const back = await setNewPassword(service, owner.email)
    expect(await lockOf(back, id)).toMatchObject({ hours: 72, next_hours: null, waiting: null })
    service.clock.advance(73 * hour)
    expect(await dataOf(id)).toEqual([owners])
  })

  it('cannot be transferred, released, minted or refunded, nor the account deleted, for three days', async () => {
    const { owner, id, thief } = await locked()
    const free = await grant(admin, { user_id: owner.id })
    const account = Wallet.createRandom().address
    const refused = [422, 'recent_email_change']
    for (const eid of [id, free]) {
      const sending = await thief.post('/api/transfers', { eid, email: newEmail() })
      expect(statusAndCode(sending)).toEqual(refused)
      const signature = await thief.post(at(eid, '/generate_signature'), { account })
      expect(statusAndCode(signature)).toEqual(refused)
    }
    expect(statusAndCode(await thief.delete(at(free)))).toEqual(refused)
    const order = await insertPaidOrder(service, owner.id, [newId()])
    const request = () =>
      thief.post(`/api/orders/${order}/refund_request`, { reason: 'I want the money' })
    expect(statusAndCode(await request())).toEqual(refused)
    expect(statusAndCode(await thief.delete(`/api/users/${owner.id}`))).toEqual(refused)
    service.clock.advance(72 * hour)
    const later = await logIn(service, { email: thief.email, password: goodPassword })
    const body = { eid: free, email: newEmail() }
    expect((await later.post('/api/transfers', body)).status).toBe(200)
  })
})

describe('an offer to a former mailbox', () => {
  it('an offer to a former mailbox is refused a few times, with what is true; then every address is refused alike', async () => {
    const owner = await newOwner()
    await confirmChange(owner)
    const sender = await newOwner()
    const eid = await insertOwnedId(service, sender.id)
    const offer = async (email: string) =>
      statusAndCode(await sender.post('/api/transfers', { eid, email }))
    stopRefillInTest()
    for (let n = 0; n < 10; n++) expect(await offer(owner.email)).toEqual([422, 'reserved_email'])
    const known = await newOwner()
    for (const email of [owner.email, known.email, newEmail()]) {
      expect(await offer(email)).toEqual([429, 'rate_limited'])
    }
  })
})

describe('an undo link to the former mailbox', () => {
  it('an undo link to the former mailbox works for three days, whether the thief changed the payment address before or after', async () => {
    const owner = await newOwner()
    const [early, late] = [
      await grant(admin, { user_id: owner.id }),
      await grant(admin, { user_id: owner.id }),
    ]
    for (const id of [early, late]) await pay(owner, id, owners)
    const remove = async (by: Owner, id: string) => {
      const [record] = await recordsOf(service, id)
      const insert = [{ tag: '0x1003', data: thiefs }]
      expect((await by.patch(at(id), { insert, delete: [record?.hash] })).status).toBe(200)
      await service.settle()
      const { text } = service.mailsTo(owner.email).at(-1) ?? {}
      return /(\/auth\/undo_change\?token=\S+)/.exec(text ?? '')?.[1] ?? ''
    }
    const before = await remove(owner, early)
    const thief = await steal(owner)
    const after = await remove(thief, late)
    const { link: ofThief } = await mailTo(thief.email, 'Payment addresses', 'undo_change')
    service.clock.advance(71 * hour)
    expect((await service.get(ofThief)).status).toBe(422)
    for (const link of [before, after]) expect((await press(service, link)).status).toBe(200)
    expect([await dataOf(early), await dataOf(late)]).toEqual([[owners], [owners]])
  })
})

describe('concurrent requests about the address of an account', () => {
  it('take a change back once', async () => {
    const { owner, link } = await stolen()
    const answers = await Promise.all([1, 2, 3].map(() => press(service, link)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422])
    await expectTakenBack(owner)
  })

  it('leave the account to the first mailbox, if it takes back while the thief confirms another one', async () => {
    const { owner, thief, link } = await stolen()
    const next = newEmail()
    const body = { email: next, current_password: goodPassword }
    expect((await thief.patch('/api/account', body)).status).toBe(200)
    const confirmation = await service.linkTo(next)
    service.clock.advance(1_000)
    const [taken] = await Promise.all([press(service, link), press(service, confirmation)])
    expect(taken.status).toBe(200)
    await expectTakenBack(owner)
    const late = await mailTo(thief.email, subjects.changed)
    if (late.link) expect((await press(service, late.link)).status).toBe(422)
  })

  it('leave the account to its mailbox, if it disavows an API key while the thief confirms another one', async () => {
    const owner = await newOwner()
    await callsWithKey(service, owner)
    const { link } = await mailTo(owner.email, subjects.key)
    const email = newEmail()
    const body = { email, current_password: goodPassword }
    expect((await owner.patch('/api/account', body)).status).toBe(200)
    const confirmation = await service.linkTo(email)
    const [disavowed] = await Promise.all([press(service, link), press(service, confirmation)])
    expect(disavowed.status).toBe(200)
    await expectTakenBack(owner)
  })

  it('leave either the former address or its new account, if it is registered while the account leaves it', async () => {
    const owner = await newOwner()
    const email = newEmail()
    const body = { email, current_password: goodPassword }
    expect((await owner.patch('/api/account', body)).status).toBe(200)
    const confirmation = await service.linkTo(email)
    const registration = { email: owner.email, password: goodPassword }
    const [confirmed, ...registered] = await Promise.all([
      press(service, confirmation),
      ...[1, 2, 3].map(() => service.post('/api/users', registration)),
    ])
    expect(confirmed.status).toBe(200)
    expect(registered.map(({ status }) => status)).toEqual([422, 422, 422])
    expect((await press(service, await takeBackLink(owner.email))).status).toBe(200)
  })
})
