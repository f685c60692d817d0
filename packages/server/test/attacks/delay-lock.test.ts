import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { at, grant, recordsOf } from '../support/ids.ts'
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
  type Tokens,
} from '../support/people.ts'
import { enableApp } from '../support/second-factor.ts'
import { sharedMailedService } from '../support/shared-service.ts'
import { transferSteps } from '../support/transfers.ts'

let service: MailedService
let admin: Person
beforeAll(async () => {
  service = await sharedMailedService()
})
// Sessions expire while these tests move the clock.
beforeEach(async () => {
  admin = await registerAs(service, 'Admin')
})

const hour = 60 * 60_000
const owners = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'
const thiefs = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
type Caller = Pick<Person, 'get' | 'patch' | 'put' | 'delete' | 'post'>
type Lock = { hours: number; next_hours: number | null; waiting: object | null }
const dataOf = async (id: string) => (await recordsOf(service, id)).map(({ data }) => data)
const pay = (by: Caller, id: string, data: string) =>
  by.patch(at(id), { insert: [{ tag: '0x1003', data }] })
const setLock = (by: Caller, id: string, hours: number) => by.put(at(id, '/delay_lock'), { hours })
const lockOf = async (by: Caller, id: string) => (await by.get(at(id, '/delay_lock'))).json<Lock>()
const backAs = ({ email }: Person) => logIn(service, { email, password: goodPassword })
const newUser = () => newcomer(service, { password: goodPassword, isVerified: true })

const locked = async (hours = 48) => {
  const anna = await newUser()
  const id = await grant(admin, { user_id: anna.id })
  await pay(anna, id, owners)
  await setLock(anna, id, hours)
  return { anna, id }
}

describe('an operator who is demoted', () => {
  it('an operator who is demoted leaves no planned change', async () => {
    const { anna, id } = await locked()
    const [boss, rogue] = [await registerAs(service, 'Super'), await registerAs(service, 'Admin')]
    const insert = [{ tag: '0x1003', data: thiefs }]
    const planAnswer = await rogue.patch(at(id), { insert, reason: 'A rogue operator' })
    expect([planAnswer.status, planAnswer.headers.get('x-changes-at')]).toEqual([
      200,
      expect.any(String),
    ])
    const body = { role: 'User', reason: 'A rogue operator' }
    expect((await boss.patch(`/api/users/${rogue.id}`, body)).status).toBe(200)
    expect((await lockOf(anna, id)).waiting).toBeNull()
    service.clock.advance(49 * hour)
    expect(await dataOf(id)).toEqual([owners])
  })
})

describe('an attacker with the session or a key of an owner with a delay lock', () => {
  it('cannot shorten it by lowering, raising and lowering, or repeated requests', async () => {
    const { anna, id } = await locked()
    const keyResponse = await anna.post('/api/api_keys', { name: 'k', scopes: ['userData:update'] })
    const headers = { 'x-api-key': keyResponse.json<{ api_key: string }>().api_key }
    for (const hours of [1, 0, 47, 48, 0])
      expect((await setLock(anna, id, hours)).json()).toMatchObject({ hours: 48 })
    const path = at(id, '/delay_lock')
    const byKey = await service.put(path, { hours: 72 }, { headers })
    expect([byKey.status, byKey.json()['code']]).toEqual([403, 'insufficient_scope'])
    const plannedChange = await pay(anna, id, thiefs)
    const changes_at = Date.parse(plannedChange.headers.get('x-changes-at') ?? '')
    expect(changes_at - service.clock.now().getTime()).toBeGreaterThan(47 * hour)
    service.clock.advance(47 * hour)
    expect(await dataOf(id)).toEqual([owners])
  })

  it('an attacker with the session or a key of an owner with a delay lock cannot release the id and get it back without the lock', async () => {
    const { anna, id } = await locked()
    await setLock(anna, id, 0)
    const refusal = await anna.delete(at(id))
    expect([refusal.status, refusal.body.includes('delay_locked')]).toEqual([422, true])
    service.clock.advance(48 * hour)
    expect((await (await backAs(anna)).delete(at(id))).status).toBe(200)
    // The next owner gets it without the lock and without the waiting change.
    const bert = await newUser()
    admin = await registerAs(service, 'Admin')
    await grant(admin, { user_id: bert.id }, id)
    expect(await lockOf(bert, id)).toMatchObject({ hours: 0, waiting: null })
  })

  it('an attacker with the session or a key of an owner with a delay lock cannot transfer it to a second account to be faster', async () => {
    const { anna, id } = await locked()
    const steps = transferSteps(service, admin)
    const thief = await newUser()
    await pay(anna, id, thiefs)
    const transfer = await steps.post(anna, { eid: id, email: thief.email })
    await steps.confirm(anna, transfer, await steps.codeTo(anna))
    const acceptanceAnswer = await steps.accept(thief, transfer, await steps.codeTo(thief))
    expect(acceptanceAnswer.status).toBe(200)
    // The sender's planned changes are void. The lock ends as late as if it had been disabled.
    expect(await lockOf(thief, id)).toMatchObject({ hours: 48, next_hours: 0, waiting: null })
    expect((await pay(thief, id, thiefs)).json()).toEqual([])
    expect(await dataOf(id)).toEqual([owners])
    expect((await thief.delete(at(id, '/waiting_change'))).status).toBe(200)
    service.clock.advance(48 * hour)
    expect(await dataOf(id)).toEqual([owners])
    expect((await pay(await backAs(thief), id, thiefs)).json()).toEqual([id])
  })

  it('cannot lock a stolen address in place: the earlier undo link works immediately', async () => {
    const anna = await newUser()
    const id = await grant(admin, { user_id: anna.id })
    await pay(anna, id, owners)
    await service.mailTo(anna.email, 1)
    await pay(anna, id, thiefs)
    const link = await service.linkTo(anna.email, 2)
    await setLock(anna, id, 72)
    await pay(anna, id, `${thiefs}|more`)
    expect((await press(service, link)).status).toBe(200)
    expect(await dataOf(id)).toEqual([owners])
    expect((await lockOf(anna, id)).waiting).toBeNull()
  })

  it('cannot lock the owner out: raising requires a recent login, and its email undoes it', async () => {
    const { anna, id } = await locked(2)
    await service.settle()
    const thief = await backAs(anna)
    service.clock.advance(16 * 60_000)
    const { refresh_token } = thief.tokens
    const refreshAnswer = await service.post('/api/auth/token/refresh', { refresh_token })
    const old = await setLock(callsWith(service, refreshAnswer.json<Tokens>()), id, 72)
    expect([old.status, old.json()['code']]).toEqual([403, 'old_login'])

    const secondPerson = await backAs(anna)
    expect((await setLock(secondPerson, id, 24)).status).toBe(200)
    await service.settle()
    const mail = service.mailsTo(anna.email).at(-1)
    const link = /(\/auth\/not_me\?token=\S+)/.exec(mail?.text ?? '')?.[1] ?? ''
    expect((await setLock(secondPerson, id, 72)).status).toBe(200)
    expect((await service.get(link)).body).toContain('returns to its previous duration')
    expect((await press(service, link)).status).toBe(200)
    const { hours } = await service.db
      .selectFrom('delay_locks')
      .select('hours')
      .where('emoji_id', '=', id)
      .executeTakeFirstOrThrow()
    expect(hours).toBe(2)
  })

  it('an attacker with the session or a key of an owner with a delay lock cannot cancel a change with a key made without a code', async () => {
    const { anna, id } = await locked()
    const keyResponse = await anna.post('/api/api_keys', { name: 'k', scopes: ['userData:update'] })
    const headers = { 'x-api-key': keyResponse.json<{ api_key: string }>().api_key }
    await enableApp(service, anna)
    await pay(anna, id, `${owners}|new`)
    const byKey = await service.call('DELETE', at(id, '/waiting_change'), { headers })
    expect([byKey.status, byKey.json()['code']]).toEqual([403, 'not_for_keys'])
    expect((await lockOf(anna, id)).waiting).not.toBeNull()
  })

  it('gains nothing through members of an organization or operators without the lock, and a planned change is void when its member leaves or loses the role', async () => {
    const organizationResponse = await admin.post('/api/admin/organizations', { name: 'Crabs' })
    const { id: organization_id } = organizationResponse.json<{ id: string }>()
    const [anna, ben] = [await newUser(), await newUser()]
    const members = `/api/admin/organizations/${organization_id}/members`
    const join = ({ id }: Person, role = 'OrgController') => admin.put(`${members}/${id}`, { role })
    await join(anna)
    const id = await grant(admin, { organization_id })
    await pay(anna, id, owners)
    await setLock(anna, id, 24)
    const leave = () => admin.delete(`${members}/${ben.id}`)
    for (const go of [() => join(ben, 'OrgMember'), leave]) {
      await join(ben)
      await setLock(ben, id, 1)
      expect((await pay(ben, id, thiefs)).json()).toEqual([])
      expect((await go()).status).toBe(200)
      expect(await lockOf(anna, id)).toMatchObject({ next_hours: null, waiting: null })
    }
    await pay(anna, id, thiefs)
    await leave()
    expect(await lockOf(anna, id)).toMatchObject({ waiting: { by: 'you' } })
    expect((await anna.delete(at(id, '/waiting_change'))).status).toBe(200)
    await join(ben)
    expect((await pay(ben, id, thiefs)).json()).toEqual([])
    expect(await lockOf(anna, id)).toMatchObject({ waiting: { by: 'colleague' } })
    expect((await setLock(admin, id, 0)).json()).toMatchObject({ hours: 24, next_hours: 0 })
    expect((await anna.delete(at(id, '/waiting_change'))).status).toBe(200)
    const force = { eid: id, email: ben.email, force_transfer: true, reason: 'Ticket 4711' }
    expect((await admin.post('/api/transfers', force)).status).toBe(200)
    expect((await pay(ben, id, thiefs)).json()).toEqual([])
    expect(await dataOf(id)).toEqual([owners])
  })
})

describe('another order of payment addresses', () => {
  const add = (by: Caller, id: string, data: string) =>
    by.patch(at(id), { insert: [{ tag: '0x1003', data }], bypass_single_restrictions: true })
  const readPayment = async (id: string) =>
    (await service.get(at(id, '/payment'))).json<{
      result: Record<string, { address: string }>
    }>().result['0x1003']?.address
  const hashesOf = async (id: string) => (await recordsOf(service, id)).map(({ hash }) => hash)

  /** An id that is paid at the second of two addresses, and has a name. */
  const twoAddresses = async () => {
    const anna = await newUser()
    const id = await grant(admin, { user_id: anna.id })
    await pay(anna, id, thiefs)
    await anna.patch(at(id), { insert: [{ tag: '0x0005', data: 'Anna' }] })
    await add(anna, id, owners)
    expect(await readPayment(id)).toBe(owners)
    return { anna, id }
  }

  it('waits like a changed address, alone and with other changes', async () => {
    const { anna, id } = await twoAddresses()
    await setLock(anna, id, 24)
    await service.settle()
    const mails = service.mailsTo(anna.email).length
    const [first, name, second] = await hashesOf(id)
    const requestAnswer = await anna.patch(at(id), { order: [second, first, name] })
    expect([requestAnswer.json(), requestAnswer.headers.get('x-changes-at')]).toEqual([
      [],
      expect.any(String),
    ])
    expect(await readPayment(id)).toBe(owners)
    const { waiting } = await lockOf(anna, id)
    expect(waiting).toMatchObject({
      removed: [],
      added: [],
      order: [{ hash: second }, { hash: first }],
    })
    const mail = await service.mailTo(anna.email, mails + 1)
    expect(mail?.text).toContain(`the order becomes: BTC ${owners}, then BTC ${thiefs}`)
    // Repeating it keeps its time. Removing the preferred address meanwhile is no way around it.
    const secondAnswer = await anna.patch(at(id), { order: [second, first, name] })
    expect(secondAnswer.headers.get('x-changes-at')).toBe(requestAnswer.headers.get('x-changes-at'))
    const marked = { insert: [{ tag: '0x0005', data: 'Ann' }], order: [first, second, name] }
    expect((await anna.patch(at(id), marked)).status).toBe(422)
    // The present order contradicts the planned one, with and without other records moved.
    for (const order of [
      [first, name, second],
      [name, first, second],
    ]) {
      const keptAnswer = await anna.patch(at(id), { order })
      expect([keptAnswer.status, keptAnswer.json()['code']]).toEqual([422, 'waiting_change'])
    }
    service.clock.advance(24 * hour)
    expect(await dataOf(id)).toEqual([owners, 'Anna', thiefs])
    expect(await readPayment(id)).toBe(thiefs)
  })

  it('another order of payment addresses with a removal waits as a whole, unless the rest keeps its order', async () => {
    const { anna, id } = await twoAddresses()
    const third = '3P14159f73E4gFr7JterCCQh9QjiTjiZrG'
    await add(anna, id, third)
    await setLock(anna, id, 24)
    const [first, name, second, last] = await hashesOf(id)
    const swapped = { delete: [last], order: [second, name, first] }
    expect((await anna.patch(at(id), swapped)).json()).toEqual([])
    expect(await readPayment(id)).toBe(third)
    await anna.delete(at(id, '/waiting_change'))
    const plain = { delete: [last], order: [name, first, second] }
    expect((await anna.patch(at(id), plain)).json()).toEqual([id])
    expect(await readPayment(id)).toBe(owners)
  })

  it('keeps the places of the records around a changed address, which payments follow', async () => {
    const { anna, id } = await twoAddresses()
    await setLock(anna, id, 1)
    const [, name] = await hashesOf(id)
    const [first] = await hashesOf(id)
    const labelled = `${thiefs}|Old wallet`
    const change = {
      delete: [first, name],
      insert: [
        { tag: '0x1003', data: labelled },
        { tag: '0x0005', data: 'Ann' },
      ],
      bypass_single_restrictions: true,
    }
    expect((await anna.patch(at(id), change)).json()).toEqual([id])
    expect(await dataOf(id)).toEqual([thiefs, 'Ann', owners])
    service.clock.advance(hour)
    expect(await dataOf(id)).toEqual([labelled, 'Ann', owners])
    // In the place of the first, and the most recent one for payments.
    expect(await readPayment(id)).toBe(thiefs)

    // Naming the same order makes the places count: payments change, so that waits too.
    const order = await hashesOf(id)
    const answer = await (await logIn(service, anna)).patch(at(id), { order })
    expect([answer.status, answer.body]).toEqual([200, '[]'])
    expect(answer.headers.get('x-changes-at')).not.toBeNull()
    expect(await readPayment(id)).toBe(thiefs)
    service.clock.advance(hour)
    expect(await hashesOf(id)).toEqual(order)
    expect(await readPayment(id)).toBe(owners)
  })
})

describe('a planned change', () => {
  it('a planned change is void when the account moves to another mailbox, which is notified', async () => {
    const { anna: thief, id } = await locked(72)
    await pay(thief, id, thiefs)
    await setLock(thief, id, 0)
    const victim = newEmail()
    await thief.patch('/api/account', { email: victim, current_password: goodPassword })
    expect((await press(service, await service.linkTo(victim))).status).toBe(200)
    await service.settle()
    const notices = service.mailsTo(victim).map(({ subject }) => subject)
    expect(notices.filter((subject) => /change was cancelled/.test(subject ?? ''))).toHaveLength(1)
    const owner = await logIn(service, { email: victim, password: goodPassword })
    expect(await lockOf(owner, id)).toMatchObject({ hours: 72, next_hours: null, waiting: null })
    service.clock.advance(73 * hour)
    expect(await dataOf(id)).toEqual([owners])
  })
})

it('a planned change takes effect before a transfer at the same moment', async () => {
  const { anna, id } = await locked(1)
  const steps = transferSteps(service, admin)
  const bert = await newUser()
  await pay(anna, id, thiefs)
  service.clock.advance(59 * 60_000)
  const giver = await backAs(anna)
  const taker = await backAs(bert)
  const transfer = await steps.post(giver, { eid: id, email: bert.email })
  await steps.confirm(giver, transfer, await steps.codeTo(anna))
  const code = await steps.codeTo(bert)
  service.clock.advance(60_000)
  const [acceptanceAnswer, ...lookups] = await Promise.all([
    steps.accept(taker, transfer, code),
    ...Array.from({ length: 5 }, () => dataOf(id)),
  ])
  expect(acceptanceAnswer.status).toBe(200)
  expect(lookups).toEqual(Array(5).fill([thiefs]))
  expect(await dataOf(id)).toEqual([thiefs])
})
