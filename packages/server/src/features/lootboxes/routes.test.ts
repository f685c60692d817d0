import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { at, grant, newId } from '../../../test/support/ids.ts'
import { type Box, generate, makeBox, makeType } from '../../../test/support/lootboxes.ts'
import {
  type MailedService,
  newEmail,
  type Person,
  press,
  register,
  registerAs,
} from '../../../test/support/people.ts'
import { sharedMailedService } from '../../../test/support/shared-service.ts'

let service: MailedService
let admin: Person
let owner: Person
let stranger: Person
beforeAll(async () => {
  service = await sharedMailedService()
  admin = await registerAs(service, 'Admin')
  owner = await registerAs(service, 'User')
  stranger = await registerAs(service, 'User')
  // Most tests give boxes to the owner, and are not about the email of each.
  await service.db
    .updateTable('users')
    .set({ email: null, alternate_id: owner.id })
    .where('id', '=', owner.id)
    .execute()
})

type Status = Box['status']
const path = ({ id }: Pick<Box, 'id'>, rest = '') => `/api/lootboxes/${id}${rest}`
const boxIn = async (status: Status, yats = [newId(), newId()]) =>
  makeBox(admin, {
    status,
    yats,
    ...(status === 'Owned' || status === 'Used' ? { owner_id: owner.id } : {}),
  })
const statusOf = async (box: Box) => {
  const answer = await admin.get(path(box))
  return answer.status === 200 ? answer.json<Box>().status : 'gone'
}
const outcomeOf = (answer: { status: number; json(): Record<string, unknown> }) => [
  answer.status,
  answer.json()['code'],
]
const idsOf = async (person: Person) => (await person.get('/api/emoji_id')).json<string[]>()
const reservedFor = async ({ id }: Box) =>
  (
    await service.db
      .selectFrom('reservations')
      .select('emoji_id')
      .where('lootbox_id', '=', id)
      .execute()
  ).map(({ emoji_id }) => emoji_id)
const availabilityOf = async (id: string) => {
  const answer = await service.get(`/api/emoji_id/search?emoji_id=${encodeURIComponent(id)}`)
  return answer.json<{ result: { availability: string } }>().result.availability
}

describe('the states of a box', () => {
  const toOwner = () => ({ owner_id: owner.id })
  const toOther = () => ({ owner_id: stranger.id })
  type Step = [Status, string, () => object, number, Status | 'gone']
  const steps: Step[] = [
    ['Draft', 'PATCH', () => ({ status: 'Draft' }), 200, 'Draft'],
    ['Draft', 'PATCH', () => ({ yats: [newId()] }), 200, 'Draft'],
    ['Draft', 'PATCH', () => ({ status: 'Available' }), 200, 'Available'],
    ['Draft', 'PATCH', () => ({ status: 'Owned', ...toOwner() }), 200, 'Owned'],
    ['Draft', 'PATCH', () => ({ status: 'Owned', owner_email: newEmail() }), 200, 'Owned'],
    ['Draft', 'PATCH', () => ({ status: 'Used', ...toOwner() }), 200, 'Used'],
    ['Draft', 'PATCH', () => ({ status: 'Owned' }), 422, 'Draft'],
    ['Draft', 'PATCH', () => ({ status: 'Used' }), 422, 'Draft'],
    ['Draft', 'PATCH', () => ({ status: 'Used', owner_email: newEmail() }), 422, 'Draft'],
    ['Draft', 'PATCH', () => ({ status: 'Available', ...toOwner() }), 422, 'Draft'],
    ['Draft', 'PATCH', () => toOwner(), 422, 'Draft'],
    ['Draft', 'DELETE', () => ({}), 200, 'gone'],
    ['Draft', 'POST', () => ({}), 422, 'Draft'],
    ['Available', 'PATCH', () => ({ status: 'Available' }), 200, 'Available'],
    ['Available', 'PATCH', () => ({ status: 'Owned', ...toOwner() }), 200, 'Owned'],
    ['Available', 'PATCH', () => ({ status: 'Used', ...toOwner() }), 200, 'Used'],
    ['Available', 'PATCH', () => ({ status: 'Draft' }), 422, 'Available'],
    ['Available', 'PATCH', () => ({ status: 'Owned' }), 422, 'Available'],
    ['Available', 'PATCH', () => ({ yats: [newId()] }), 422, 'Available'],
    ['Available', 'DELETE', () => ({}), 200, 'gone'],
    ['Available', 'POST', () => ({}), 422, 'Available'],
    ['Owned', 'PATCH', () => ({ status: 'Owned' }), 200, 'Owned'],
    ['Owned', 'PATCH', () => ({ status: 'Owned', ...toOther() }), 200, 'Owned'],
    ['Owned', 'PATCH', () => toOther(), 422, 'Owned'],
    ['Owned', 'PATCH', () => ({ status: 'Used' }), 200, 'Used'],
    ['Owned', 'PATCH', () => ({ status: 'Used', ...toOther() }), 200, 'Used'],
    ['Owned', 'PATCH', () => ({ status: 'Draft' }), 422, 'Owned'],
    ['Owned', 'PATCH', () => ({ status: 'Available' }), 422, 'Owned'],
    ['Owned', 'PATCH', () => ({ yats: [newId()] }), 422, 'Owned'],
    ['Owned', 'DELETE', () => ({}), 422, 'Owned'],
    ['Used', 'PATCH', () => ({ status: 'Draft' }), 422, 'Used'],
    ['Used', 'PATCH', () => ({ status: 'Available' }), 422, 'Used'],
    ['Used', 'PATCH', () => ({ status: 'Owned', ...toOther() }), 422, 'Used'],
    ['Used', 'PATCH', () => ({ status: 'Used', ...toOther() }), 422, 'Used'],
    ['Used', 'PATCH', () => ({ yats: [newId()] }), 422, 'Used'],
    ['Used', 'PATCH', () => ({}), 422, 'Used'],
    ['Used', 'DELETE', () => ({}), 422, 'Used'],
  ]
  const expectStep = async (box: Box, [from, method, body, status, to]: Step) => {
    const answer =
      method === 'PATCH'
        ? await admin.patch(path(box), body())
        : method === 'DELETE'
          ? await admin.delete(path(box))
          : await admin.post(path(box, '/open'))
    const step = `${from}, ${method} ${JSON.stringify(body())}`
    expect(answer.status, step).toBe(status)
    expect(await statusOf(box), step).toBe(to)
    const isKept = to === 'Draft' || to === 'Available' || to === 'Owned'
    const count = isKept ? (await whole(box)).yats.length : 0
    expect(await reservedFor(box), step).toHaveLength(count)
  }

  it.each<[Status]>([['Draft'], ['Available'], ['Owned'], ['Used']])(
    'a refused event leaves a box in the state %s as it is (T98)',
    async (from) => {
      const box = await boxIn(from)
      const refusedSteps = steps.filter((step) => step[0] === from && step[3] === 422)
      expect(refusedSteps.length).toBeGreaterThan(3)
      for (const step of refusedSteps) await expectStep(box, step)
    },
  )

  it.each(steps.filter((step) => step[3] === 200))(
    'the states of a box of %s: %s %o → %i, %s (T98)',
    async (...step) => expectStep(await boxIn(step[0]), step),
  )
  const whole = async (box: Box) => (await admin.get(path(box))).json<Box>()

  it('opened by the owner: the owner gets all ids, and a repeat returns the same (T98)', async () => {
    const box = await boxIn('Owned')
    const first = await owner.post(path(box, '/open'))
    const second = await owner.post(path(box, '/open'), null)
    expect(first.json<Box>()).toMatchObject({ status: 'Used', yats: box.yats })
    expect(second.json()).toEqual(first.json())
    expect(await idsOf(owner)).toEqual(expect.arrayContaining(box.yats))
    const rows = await service.db
      .selectFrom('emoji_ids')
      .select(['generation', 'pubkey', 'bought_at'])
      .where('emoji_id', 'in', box.yats)
      .execute()
    const { user } = (await owner.get('/api/account')).json<{ user: { pubkeys: string[] } }>()
    for (const row of rows) {
      expect(row).toEqual({ generation: 1, pubkey: user.pubkeys[0], bought_at: null })
    }
    const audit = await admin.get('/api/admin/audit?event=emoji_id.granted')
    expect(audit.body).toContain(box.id)
    expect((await service.get(at(box.yats[0] ?? ''))).status).toBe(200)
  })

  it('created as Used opens immediately; created as Owned without an owner is refused', async () => {
    const box = await boxIn('Used')
    expect(box).toMatchObject({ status: 'Used', owner_id: owner.id })
    expect(await idsOf(owner)).toEqual(expect.arrayContaining(box.yats))
    for (const status of ['Owned', 'Used']) {
      const refusal = await admin.post('/api/lootboxes', { status, yats: [newId()] })
      expect(outcomeOf(refusal)).toEqual([422, 'missing_lootbox_owner'])
    }
    const ownedDraft = { status: 'Draft', yats: [newId()], owner_id: owner.id }
    expect(outcomeOf(await admin.post('/api/lootboxes', ownedDraft))).toEqual([
      422,
      'unexpected_lootbox_owner',
    ])
  })
})

describe('the ids of a box', () => {
  it('the ids of a box are reserved until the box is deleted', async () => {
    const [first = '', other = ''] = [newId(), newId()]
    const box = await boxIn('Draft', [first, other])
    expect(await availabilityOf(first)).toBe('Taken')
    const cart = await stranger.post('/api/cart', { items: [{ emoji_id: first }] })
    expect(cart.body).toContain('"marked_invalid_at_reason":"Taken"')
    const checkout = await stranger.post('/api/cart/checkout', { method: 'Free' })
    expect(outcomeOf(checkout)).toEqual([422, 'taken'])
    const grantAnswer = await admin.post('/api/admin/emoji_ids', {
      emoji_id: first,
      user_id: owner.id,
    })
    expect(outcomeOf(grantAnswer)).toEqual([422, 'taken'])
    const secondAnswer = await admin.post('/api/lootboxes', { status: 'Draft', yats: [first] })
    expect(outcomeOf(secondAnswer)).toEqual([422, 'taken'])
    await admin.delete(path(box))
    expect(await availabilityOf(first)).toBe('Available')
    expect(await grant(admin, { user_id: owner.id }, first)).toBe(first)
    expect((await admin.get(path(box))).status).toBe(404)
    await stranger.delete('/api/cart')
  })

  it('change while it is a Draft: ids are added and removed, and watchers are emailed', async () => {
    const [gone = '', stays = '', comes = ''] = [newId(), newId(), newId()]
    const box = await boxIn('Draft', [gone, stays])
    await owner.post('/api/user_interests', { emoji_id: gone })
    const changeAnswer = await admin.patch(path(box), { yats: [stays, comes] })
    expect(changeAnswer.json<Box>().yats).toEqual([stays, comes])
    expect((await reservedFor(box)).toSorted()).toEqual([stays, comes].toSorted())
    expect(await availabilityOf(gone)).toBe('Available')
  })

  it('keep the typed skin tones', async () => {
    const box = await boxIn('Owned', ['👋🏽🌴🐙🐙'])
    await owner.post(path(box, '/open'))
    expect(await idsOf(owner)).toContain('👋🏽🌴🐙🐙')
  })

  it('the ids of a box are shown to operators, and to the owner only once it is opened', async () => {
    const box = await boxIn('Owned')
    const empty = { yats: [], prices: [], scores: [], average_rhythm_score: 0, total_value: 0 }
    // Shipped clients require the members, so the answer names those that say nothing.
    const stripped = { ...empty, withheld: Object.keys(empty) }
    const seenBox = (await owner.get(path(box))).json<Box>()
    expect(seenBox).toMatchObject({ ...stripped, status: 'Owned', owner_id: owner.id })
    expect(seenBox).not.toHaveProperty('owner_email')
    const boxList = (await owner.get('/api/lootboxes?status=Owned')).json<{ data: Box[] }>()
    expect(boxList.data.find(({ id }) => id === box.id)).toMatchObject(stripped)
    const whole = (await admin.get(path(box))).json<Box>()
    expect(whole).not.toHaveProperty('withheld')
    expect(whole.yats).toEqual(box.yats)
    expect(whole.total_value).toBe(whole.prices.reduce((sum, price) => sum + price))
    expect(whole.average_rhythm_score).toBe((Number(whole.scores[0]) + Number(whole.scores[1])) / 2)
    await owner.post(path(box, '/open'))
    const openedBox = (await owner.get(path(box))).json<Box>()
    expect(openedBox.yats).toEqual(box.yats)
    expect(openedBox).not.toHaveProperty('withheld')
  })
})

describe('an owner by email address', () => {
  it('an owner by email address gets the box with the account that confirms the address, and not before', async () => {
    const email = newEmail()
    const box = await makeBox(admin, { status: 'Owned', owner_email: email.toUpperCase() })
    expect(box).toMatchObject({ owner_id: null, owner_email: email })
    const mail = await service.mailTo(email)
    expect(mail?.subject).toBe('You received a lootbox')
    const person = await register(service, { email })
    expect((await person.get(path(box))).status).toBe(404)
    expect((await person.post(path(box, '/open'))).status).toBe(404)
    expect((await person.get('/api/lootboxes')).json()).toMatchObject({ data: [] })
    expect(outcomeOf(await admin.patch(path(box), { status: 'Used' }))).toEqual([
      422,
      'unknown_lootbox_owner',
    ])

    await press(service, await service.linkTo(email, 2))
    expect((await person.get('/api/lootboxes')).json()).toMatchObject({ data: [{ id: box.id }] })
    expect((await person.post(path(box, '/open'))).json<Box>()).toMatchObject({ yats: box.yats })
    expect(await idsOf(person)).toEqual(box.yats)
  })

  it('an owner by email address gets it immediately if the address is confirmed', async () => {
    const { id, email } = stranger
    const box = await makeBox(admin, { status: 'Owned', owner_email: email })
    expect(box).toMatchObject({ owner_id: id, owner_email: null, owner: { id } })
  })

  it('an owner by email address may be another account than the first that registered the address', async () => {
    const unconfirmedPerson = await register(service)
    const box = await makeBox(admin, { status: 'Owned', owner_email: unconfirmedPerson.email })
    expect(box.owner_id).toBeNull()
    expect((await unconfirmedPerson.post(path(box, '/open'))).status).toBe(404)
  })
})

describe('the new owner of a box', () => {
  const gifts = async (email: string) => {
    await service.settle()
    return service.mailsTo(email).filter(({ subject }) => subject?.includes('lootbox'))
  }

  it('the new owner of a box is emailed the number of ids and the next step, not the ids', async () => {
    const person = await registerAs(service, 'User')
    const box = await makeBox(admin, {
      status: 'Owned',
      owner_id: person.id,
      yats: [newId(), newId(), newId()],
    })
    const [mail, ...others] = await gifts(person.email)
    expect(others).toEqual([])
    expect(mail?.text).toContain('You received a lootbox with 3 emoji ids.')
    expect(mail?.text).toContain('Sign in or register with this address')
    expect(mail?.text).toMatch(/^http:\/\/localhost:\d+\/account\/lootboxes$/m)
    for (const yat of box.yats) expect(mail?.text).not.toContain(yat)
  })

  it('the new owner of a box is emailed once for repeated changes', async () => {
    const [first, second] = [await registerAs(service, 'User'), newEmail()]
    const box = await boxIn('Available', [newId()])
    const give = (body: object) => admin.patch(path(box), { status: 'Owned', ...body })
    await give({ owner_id: first.id })
    await give({ owner_id: first.id })
    await give({ owner_email: first.email })
    await give({})
    expect(await gifts(first.email)).toHaveLength(1)
    await give({ owner_email: second })
    await give({ owner_email: second.toUpperCase() })
    const [mail, ...others] = await gifts(second)
    expect(mail?.text).toContain('a lootbox with one emoji id.')
    expect(others).toEqual([])
    // The account of the address was already emailed.
    const person = await register(service, { email: second })
    await give({ owner_id: person.id })
    expect(await gifts(second)).toHaveLength(1)
    expect(await gifts(first.email)).toHaveLength(1)
  })

  it('the new owner of a box gets no email about a refused change, or a box opened immediately', async () => {
    const person = await registerAs(service, 'User')
    const takenId = await grant(admin, { user_id: stranger.id })
    const change = { status: 'Owned', owner_id: person.id }
    expect((await admin.post('/api/lootboxes', { ...change, yats: [takenId] })).status).toBe(422)
    await makeBox(admin, { ...change, status: 'Used' })
    expect(await gifts(person.email)).toEqual([])
  })
})

describe('a box of another user (T60)', () => {
  it.each<[Status]>([['Available'], ['Owned']])('that is %s', async (status) => {
    const box = await boxIn(status)
    expect((await stranger.get(path(box))).status).toBe(404)
    expect((await stranger.post(path(box, '/open'))).status).toBe(404)
    expect((await stranger.patch(path(box), { status: 'Used' })).status).toBe(403)
    expect((await stranger.delete(path(box))).status).toBe(403)
    expect((await stranger.get(`/api/lootboxes?owner_id=${owner.id}`)).status).toBe(403)
    expect((await stranger.get('/api/lootboxes')).body).not.toContain(box.id)
    expect((await stranger.get('/api/lootboxes?status=Available')).body).not.toContain(box.id)
    expect(await statusOf(box)).toBe(status)
  })

  it('a box of another user (T60) is not opened by an operator either', async () => {
    const box = await boxIn('Owned')
    expect(outcomeOf(await admin.post(path(box, '/open')))).toEqual([422, 'not_lootbox_owner'])
  })
})

describe('invalid input', () => {
  const post = (body: object) => admin.post('/api/lootboxes', { status: 'Draft', ...body })
  it('about ids is rejected, and reserves nothing', async () => {
    const [ownedId, free] = [await grant(admin, { user_id: owner.id }), newId()]
    expect(outcomeOf(await post({ yats: [free, ownedId] }))).toEqual([422, 'taken'])
    expect(outcomeOf(await post({ yats: [free, free] }))).toEqual([422, 'eligibility'])
    expect(outcomeOf(await post({ yats: ['👋👋🐙🐙', '👋🏽👋🐙🐙'] }))).toEqual([
      422,
      'eligibility',
    ])
    expect(outcomeOf(await post({ yats: ['🔫🔫🔫'] }))).toEqual([422, 'coming_soon'])
    const odd = await post({ yats: [free, 'abc'] })
    expect(odd.status).toBe(400)
    expect(odd.json()['fields']).toMatchObject({
      yats: [{ message: expect.stringMatching(/^“abc” is not an emoji id/) }],
    })
    expect((await post({ yats: [] })).status).toBe(400)
    expect((await post({ yats: Array.from({ length: 21 }, newId) })).status).toBe(400)
    expect((await post({ yats: [7] })).status).toBe(400)
    expect((await post({ yats: ["' OR 1=1--"] })).status).toBe(400)
    expect(await availabilityOf(free)).toBe('Available')
  })

  it('about owners and states is rejected', async () => {
    const yats = [newId()]
    const ownedBox = { status: 'Owned', yats }
    const { id: owner_id, email: owner_email } = owner
    expect((await post({ ...ownedBox, owner_id, owner_email })).status).toBe(400)
    expect((await post({ ...ownedBox, owner_email: 'no address' })).status).toBe(400)
    expect((await post({ ...ownedBox, owner_email: 'a@example.com\r\nBcc: b@c.de' })).status).toBe(
      400,
    )
    expect(outcomeOf(await post({ ...ownedBox, owner_id: randomUUID() }))).toEqual([
      422,
      'unknown_lootbox_owner',
    ])
    expect((await post({ ...ownedBox, owner_id: 'me' })).status).toBe(400)
    expect((await post({ status: 'Open', yats })).status).toBe(400)
    expect((await admin.patch(`/api/lootboxes/${randomUUID()}`, {})).status).toBe(404)
    expect((await admin.patch('/api/lootboxes/7', {})).status).toBe(400)
    expect((await admin.get('/api/lootboxes?owner_id=x')).status).toBe(400)
    expect((await admin.get('/api/lootboxes?status=Open')).status).toBe(400)
  })

  it('invalid input of an owned box changes only with a status', async () => {
    const box = await boxIn('Owned')
    for (const to of [{ owner_email: stranger.email }, { owner_id: stranger.id }]) {
      const refusal = await admin.patch(path(box), to)
      expect(outcomeOf(refusal)).toEqual([422, 'missing_status'])
      expect(refusal.json()).toMatchObject({ fields: { status: [{ code: 'missing' }] } })
    }
    const { owner_id } = (await admin.get(path(box))).json<Box>()
    expect(owner_id).toBe(owner.id)
    const passed = await admin.patch(path(box), { status: 'Owned', owner_email: stranger.email })
    expect(passed.json()).toMatchObject({ owner_id: stranger.id })
  })

  it('invalid input is reported with its request member', async () => {
    const fieldsOf = async (body: object) => {
      const { fields } = (await post({ yats: [newId()], ...body })).json<{ fields: object }>()
      return Object.keys(fields)
    }
    const gonePerson = await registerAs(service, 'User')
    await admin.post(`/api/admin/users/${gonePerson.id}/deactivate`, { reason: 'Left us' })
    const ownedBox = { status: 'Owned' }
    expect(await fieldsOf({ ...ownedBox, owner_email: 'no address' })).toEqual(['owner_email'])
    expect(await fieldsOf({ ...ownedBox, owner_email: gonePerson.email })).toEqual(['owner_email'])
    expect(await fieldsOf({ ...ownedBox, owner_id: gonePerson.id })).toEqual(['owner_id'])
    expect(await fieldsOf({ owner_email: newEmail() })).toEqual(['owner_email'])
    expect(await fieldsOf({ owner_id: owner.id })).toEqual(['owner_id'])
    expect(await fieldsOf({ status: 'Used', owner_email: newEmail() })).toEqual(['owner_email'])
  })

  it('treats null as absent', async () => {
    const body = { status: 'Draft', yats: [newId()], owner_id: null, owner_email: null }
    expect((await admin.post('/api/lootboxes', body)).status).toBe(200)
  })
})

describe('the list of boxes', () => {
  const search = async (query: string, by = admin) =>
    (await by.get(`/api/lootboxes?${query}`)).json<{ data: Box[] }>().data.map(({ id }) => id)

  it('the list of boxes is searched by type, by id and by the email address of an owner', async () => {
    const type = await makeType(admin)
    const { loot_boxes } = await generate(admin, type.id, 2)
    const ids = loot_boxes.map(({ id }) => id)
    expect((await search(`lootbox_type_id=${type.id}`)).toSorted()).toEqual(ids.toSorted())
    expect(await search(`q=${ids[0]}`)).toEqual([ids[0]])
    // Owners know a box by the beginning of its seed hash.
    expect(await search(`q=${loot_boxes[1]?.seed_hash.slice(0, 8)}`)).toEqual([ids[1]])
    const [email, person] = [newEmail(), await registerAs(service, 'User')]
    await admin.patch(`/api/lootboxes/${ids[0]}`, { status: 'Owned', owner_email: email })
    await admin.patch(`/api/lootboxes/${ids[1]}`, { status: 'Owned', owner_id: person.id })
    expect(await search(`q=${encodeURIComponent(email.toUpperCase())}`)).toEqual([ids[0]])
    expect(await search(`q=${encodeURIComponent(person.email)}`)).toEqual([ids[1]])
    expect(await search(`q=${encodeURIComponent(person.email)}`, stranger)).toEqual([])
    expect(await search('q=%25')).toEqual([])
  })
})

describe('around boxes', () => {
  it('the audit log has the reasons of changes', async () => {
    const box = await boxIn('Draft')
    await admin.patch(path(box), { status: 'Available', reason: 'Ready for sale' })
    await admin.delete(path(box, '?reason=One%20too%20many'))
    const reasonsOf = async (event: string) =>
      (await admin.get(`/api/admin/audit?event=${event}&limit=1`)).json<{
        data: { details: object }[]
      }>().data[0]?.details
    expect(await reasonsOf('lootbox.changed')).toMatchObject({ reason: 'Ready for sale' })
    expect(await reasonsOf('lootbox.deleted')).toMatchObject({ reason: 'One too many' })
    expect((await admin.delete(path(box, '?reason=x'))).status).toBe(400)
  })

  it('the ids of a drawn box cannot be changed', async () => {
    const { id } = await makeType(admin)
    const [box] = (await generate(admin, id)).loot_boxes
    const refusal = await admin.patch(path(box as Box), { yats: [newId()] })
    expect(outcomeOf(refusal)).toEqual([422, 'sealed_lootbox'])
  })

  it('the audit log has the former owner of a box that was given to another user', async () => {
    const box = await boxIn('Owned')
    await admin.patch(path(box), { status: 'Owned', owner_id: stranger.id })
    const audit = await admin.get('/api/admin/audit?event=lootbox.changed')
    const noted = audit.json<{ data: { subject_id: string; details: object }[] }>().data
    const details = expect.objectContaining({ lootbox_id: box.id, former_owner_id: owner.id })
    expect(noted).toContainEqual(expect.objectContaining({ subject_id: stranger.id, details }))
  })

  it('an account with an unopened box cannot be deleted', async () => {
    const person = await registerAs(service, 'User')
    await makeBox(admin, { status: 'Owned', owner_id: person.id })
    expect(outcomeOf(await person.delete(`/api/users/${person.id}`))).toEqual([
      422,
      'still_owns_boxes',
    ])
  })

  it('a deactivated account gets no box', async () => {
    const person = await registerAs(service, 'User')
    const box = await makeBox(admin, { status: 'Owned', owner_id: person.id })
    await admin.post(`/api/admin/users/${person.id}/deactivate`, { reason: 'Left us' })
    const refusal = await admin.patch(path(box), { status: 'Used' })
    expect(outcomeOf(refusal)).toEqual([422, 'unknown_lootbox_owner'])
    expect(refusal.json()).toMatchObject({ error: 'Its owner is deactivated.' })
    const other = { status: 'Owned', yats: [newId()], owner_id: person.id }
    expect(outcomeOf(await admin.post('/api/lootboxes', other))).toEqual([
      422,
      'unknown_lootbox_owner',
    ])
  })

  it('a box cannot be bought while sales are switched off', async () => {
    const { id } = await makeType(admin, {}, 900)
    const [box] = (await generate(admin, id)).loot_boxes
    await admin.patch(path(box as Box), { status: 'Available' })
    const refusal = await owner.post('/api/cart', { items: [{ lootbox_id: box?.id }] })
    expect(outcomeOf(refusal)).toEqual([422, 'not_for_sale'])
    expect((await owner.get(path(box as Box))).status).toBe(404)
  })
})
