import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { hourMs } from '../../src/platform/time.ts'
import { insertOwnedId, proofOf } from '../support/ids.ts'
import { accept, invite, inviteMember, placeMember } from '../support/members.ts'
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
  registerAs,
  type Tokens,
} from '../support/people.ts'
import { sharedMailedService } from '../support/shared-service.ts'

let service: MailedService
let admin: Person
beforeAll(async () => {
  service = await sharedMailedService()
})
beforeEach(async () => {
  admin = await registerAs(service, 'Admin')
})

type Member = { user_id: string; email: string | null; role: string; accepted_at: string | null }
const newPerson = () => newcomer(service, { isVerified: true })
const pathOf = (id: string, rest = '') => `/api/admin/organizations/${id}${rest}`
async function newOrganization(name = 'Crabs') {
  const { id } = (await admin.post('/api/admin/organizations', { name })).json<{ id: string }>()
  const owner = await newPerson()
  await placeMember(admin, id, owner, 'OrgOwner')
  return { id, owner }
}
const listMembers = async (by: Pick<Person, 'get'>, id: string) =>
  (await by.get(pathOf(id, '/members'))).json<Member[]>()
const listOwn = async (person: Pick<Person, 'get'>) =>
  (await person.get('/api/account/invitations')).json<{ id: string }[]>()
const organizationsOf = async (person: Pick<Person, 'get'>) =>
  (await person.get('/api/organizations')).json<{ id: string; role: string }[]>()
const leave = (person: Pick<Person, 'delete'>, id: string) =>
  person.delete(`/api/organizations/${id}/membership`)
const outcomeOf = ({ status, json }: { status: number; json: () => Record<string, unknown> }) => [
  status,
  json()['code'],
]
/** The latest email with this subject. */
async function mailOf({ email }: { email: string }, subject: string) {
  await service.settle()
  return service.mailsTo(email).findLast((mail) => mail.subject === subject)?.text ?? ''
}
const inviteSubject = 'You are invited to an organization'

describe('the owner of an organization', () => {
  it('learns neither the account nor the mailbox behind the key of an emoji id', async () => {
    const { id, owner } = await newOrganization()
    const victim = await newPerson()
    const { pubkey } = await proofOf(service, await insertOwnedId(service, victim.id))
    const eid = await insertOwnedId(service, owner.id)
    const byKey = await owner.post('/api/transfers', { eid, pubkey })
    const { id: transfer_id, recipient_id } = byKey.json<{ id: string; recipient_id: string }>()
    expect(recipient_id).not.toBe(victim.id)
    const put = await owner.put(pathOf(id, `/members/${recipient_id}`), { role: 'OrgMember' })
    expect(outcomeOf(put)).toEqual([404, 'unknown_member'])
    await owner.delete(`/api/transfers/${transfer_id}`)
    // One id per sender and key, and another for the mailbox of the same account.
    const again = await owner.post('/api/transfers', { eid, pubkey: pubkey?.toUpperCase() })
    expect(again.json()['recipient_id']).toBe(recipient_id)
    await owner.delete(`/api/transfers/${again.json()['id']}`)
    const byMail = await owner.post('/api/transfers', { eid, email: victim.email })
    expect([recipient_id, victim.id]).not.toContain(byMail.json()['recipient_id'])
    await owner.delete(`/api/transfers/${byMail.json()['id']}`)
    const other = await newPerson()
    const otherId = await insertOwnedId(service, other.id)
    const byOther = await other.post('/api/transfers', { eid: otherId, pubkey })
    expect([recipient_id, victim.id]).not.toContain(byOther.json()['recipient_id'])
    const answers = [
      await owner.get('/api/transfers'),
      await owner.get('/api/transfers/export'),
      await owner.get('/api/account/load'),
      await owner.get('/api/account/export'),
    ]
    for (const { status, body } of answers) {
      expect(status).toBe(200)
      expect(body).not.toContain(victim.id)
    }
    const key = await callsWithKey(service, owner, ['emoji::transfer'])
    expect((await key.get('/api/transfers')).body).not.toContain(victim.id)
  })

  it('the owner of an organization gets the same refusal for an existing account and for an unknown one', async () => {
    const { id, owner } = await newOrganization()
    const ids = [(await newPerson()).id, randomUUID()]
    const put = (user_id: string) =>
      owner.put(pathOf(id, `/members/${user_id}`), { role: 'OrgMember' })
    const answers = await Promise.all(ids.map(put))
    const bodies = answers.map((answer) => ({ ...answer.json(), request_id: '' }))
    expect(answers.map(({ status }) => status)).toEqual([404, 404])
    expect(bodies[0]).toEqual(bodies[1])
    expect(await listMembers(admin, id)).toHaveLength(1)
  })

  it('the owner of an organization gets the same answer to an invitation whether the account exists', async () => {
    const { id, owner } = await newOrganization()
    const unconfirmed = await newcomer(service)
    const emails = [(await newPerson()).email, unconfirmed.email, newEmail()]
    const shapes: unknown[] = []
    for (const email of emails) {
      const answer = await owner.post(pathOf(id, '/invitations'), { email, role: 'OrgMember' })
      const headers = [...answer.headers.keys()].sort()
      shapes.push([answer.status, headers, Object.keys(answer.json())])
      expect(await mailOf({ email }, inviteSubject)).toContain('“Crabs”')
    }
    expect(shapes[1]).toEqual(shapes[0])
    expect(shapes[2]).toEqual(shapes[0])
    const list = (await owner.get(pathOf(id, '/invitations'))).json<{ email: string }[]>()
    expect(list.map(({ email }) => email)).toEqual(emails)
    const mails = await Promise.all(emails.map((email) => mailOf({ email }, inviteSubject)))
    expect(new Set(mails).size).toBe(1)
    expect(await listOwn(unconfirmed)).toEqual([])
  })

  it('sees a member whom an operator placed only after the person accepted', async () => {
    const { id, owner } = await newOrganization('Reef')
    const person = await newPerson()
    const members = pathOf(id, '/members')
    await admin.put(`${members}/${person.id}`, { role: 'OrgController' })
    expect(await mailOf(person, 'You were added to an organization')).toContain('“Reef”')
    const hidden = (await listMembers(owner, id)).find(({ email }) => email === null)
    expect(hidden).toMatchObject({ role: 'OrgController', accepted_at: null })
    for (const path of [members, `${members}/export`]) {
      const { body } = await owner.get(path)
      for (const secret of [person.id, person.email]) expect(body).not.toContain(secret)
      expect((await admin.get(path)).body).toContain(person.email)
    }
    // The owner names the member by the id of the list, never by the account id.
    const put = (user_id: string) => owner.put(`${members}/${user_id}`, { role: 'OrgMember' })
    expect((await put(person.id)).status).toBe(404)
    const changed = await put(String(hidden?.user_id))
    expect(changed.status).toBe(200)
    expect(changed.body).not.toContain(person.email)
    const news = await mailOf(owner, 'The members of your organization changed')
    expect(news).toContain(
      'In the organization “Reef”, a person whom our team added now has the role of member.',
    )
    expect(news).not.toContain(person.email)
    const accept = (role: string) =>
      person.post(`/api/organizations/${id}/membership/accept`, { role })
    expect(outcomeOf(await accept('OrgController'))).toEqual([422, 'changed_role'])
    const accepted = await accept('OrgMember')
    expect(accepted.json()).toMatchObject([{ id, role: 'OrgMember' }])
    const known = (await listMembers(owner, id)).find(({ email }) => email === person.email)
    expect(known).toMatchObject({ user_id: person.id, accepted_at: expect.any(String) })
  })
})

describe('an invitation', () => {
  it('makes a member of the person who accepts it, and tells the owners', async () => {
    const { id, owner } = await newOrganization('Tide')
    const person = await newPerson()
    const invitation = await invite(owner, id, { email: person.email.toUpperCase() }, 'OrgOwner')
    expect(await organizationsOf(person)).toEqual([])
    expect(await listMembers(owner, id)).toHaveLength(1)
    expect(await listOwn(person)).toMatchObject([
      { id: invitation.id, role: 'OrgOwner', organization: { id, name: 'Tide' } },
    ])
    expect((await accept(person, invitation)).json()).toMatchObject([{ id, role: 'OrgOwner' }])
    expect(await listMembers(person, id)).toHaveLength(2)
    const news = await mailOf(owner, 'The members of your organization changed')
    expect(news).toContain(`${person.email} now has the role of owner`)
    expect(outcomeOf(await accept(person, invitation))).toEqual([404, 'unknown_invitation'])
    const again = { email: person.email, role: 'OrgMember' }
    const repeated = await owner.post(pathOf(id, '/invitations'), again)
    expect(outcomeOf(repeated)).toEqual([422, 'uniqueness'])
  })

  it('counts for its mailbox only, once it is confirmed, and with a recent sign-in', async () => {
    const { id, owner } = await newOrganization()
    const [person, stranger, unconfirmed] = [
      await newPerson(),
      await newPerson(),
      await newcomer(service),
    ]
    const invitation = await invite(owner, id, person)
    const other = await invite(owner, id, unconfirmed)
    expect((await accept(stranger, invitation)).status).toBe(404)
    expect((await stranger.delete(`/api/account/invitations/${invitation.id}`)).status).toBe(404)
    expect((await accept(unconfirmed, other)).status).toBe(404)
    const key = await callsWithKey(service, person)
    expect((await accept(key, invitation)).status).toBe(403)
    expect((await key.get('/api/account/invitations')).status).toBe(403)
    expect(await listMembers(admin, id)).toHaveLength(1)
    service.clock.advance(16 * 60_000)
    const { refresh_token } = person.tokens
    const tokens = (await service.post('/api/auth/token/refresh', { refresh_token })).json<Tokens>()
    const late = callsWith(service, tokens)
    expect(outcomeOf(await accept(late, invitation))).toEqual([403, 'old_login'])
    // Declining needs no recent sign-in.
    expect((await late.delete(`/api/account/invitations/${invitation.id}`)).status).toBe(200)
  })

  it('an invitation ends when it is declined, withdrawn, replaced or seven days old', async () => {
    const { id, owner } = await newOrganization()
    const person = await newcomer(service, { isVerified: true, password: goodPassword })
    const declined = await invite(owner, id, person)
    expect((await person.delete(`/api/account/invitations/${declined.id}`)).json()).toEqual({})
    const withdrawn = await invite(owner, id, person)
    const withdraw = () => owner.delete(pathOf(id, `/invitations/${withdrawn.id}`))
    expect((await withdraw()).json()).toEqual({})
    expect((await withdraw()).status).toBe(404)
    const replaced = await invite(owner, id, person, 'OrgOwner')
    const latest = await invite(owner, id, person, 'OrgMember')
    for (const ended of [declined, withdrawn, replaced])
      expect(outcomeOf(await accept(person, ended))).toEqual([404, 'unknown_invitation'])
    expect(await listOwn(person)).toMatchObject([{ id: latest.id, role: 'OrgMember' }])
    service.clock.advance(7 * 24 * hourMs)
    const later = await logIn(service, person)
    expect(await listOwn(later)).toEqual([])
    expect((await accept(later, latest)).status).toBe(404)
  })

  it.each<[string, (by: { id: string; owner: Person; second: Person }) => Promise<unknown>]>([
    [
      'is demoted',
      ({ id, owner, second }) =>
        owner.put(pathOf(id, `/members/${second.id}`), { role: 'OrgController' }),
    ],
    ['is removed', ({ id, owner, second }) => owner.delete(pathOf(id, `/members/${second.id}`))],
    ['leaves', ({ id, second }) => leave(second, id)],
    ['deletes the account', ({ second }) => second.delete(`/api/users/${second.id}`)],
    [
      'is deactivated',
      ({ second }) => admin.post(`/api/admin/users/${second.id}/deactivate`, { reason: 'Scam' }),
    ],
  ])('an invitation is void once its author %s', async (_how, loseRight) => {
    const { id, owner } = await newOrganization()
    const [second, person] = [await newPerson(), await newPerson()]
    await inviteMember(owner, id, second, 'OrgOwner')
    const invitation = await invite(second, id, person, 'OrgOwner')
    expect(await loseRight({ id, owner, second })).toMatchObject({ status: 200 })
    expect(await listOwn(person)).toEqual([])
    expect((await owner.get(pathOf(id, '/invitations'))).json()).toEqual([])
    expect((await accept(person, invitation)).status).toBe(404)
    // The right may return, the invitation does not.
    if (_how === 'is demoted') {
      await owner.put(pathOf(id, `/members/${second.id}`), { role: 'OrgOwner' })
      expect((await accept(person, invitation)).status).toBe(404)
    }
  })

  it('an invitation of a thief is undone by the notice to the impersonated owner, before and after it is accepted', async () => {
    const { id, owner } = await newOrganization()
    const thieves = [await newPerson(), await newPerson()]
    const invitations = [
      await invite(owner, id, thieves[0] as Person, 'OrgOwner'),
      await invite(owner, id, thieves[1] as Person, 'OrgOwner'),
    ]
    expect((await accept(thieves[1] as Person, invitations[1] as { id: string })).status).toBe(200)
    const text = await mailOf(owner, 'A person was invited to your organization')
    expect(text).toContain(`${thieves[1]?.email} was invited`)
    const link = /http:\/\/localhost:\d+(\/auth\/not_me\S+)/.exec(text)?.[1] ?? ''
    expect((await press(service, link)).status).toBe(200)
    expect(await listMembers(admin, id)).toMatchObject([{ user_id: owner.id }])
    const late = await accept(thieves[0] as Person, invitations[0] as { id: string })
    expect(late.status).toBe(404)
  })

  it('an invitation is made by owners and administrators, never by other members, strangers or keys', async () => {
    const { id, owner } = await newOrganization()
    const controller = await newPerson()
    await inviteMember(owner, id, controller, 'OrgController')
    const invitation = await invite(admin, id, await newPerson())
    const path = pathOf(id, '/invitations')
    const body = { email: newEmail(), role: 'OrgMember' }
    const key = await callsWithKey(service, owner)
    const stranger = await newPerson()
    const statuses = [
      (await controller.post(path, body)).status,
      (await controller.delete(`${path}/${invitation.id}`)).status,
      (await stranger.post(path, body)).status,
      (await stranger.get(path)).status,
      (await key.post(path, body)).status,
      (await owner.post(path, { ...body, role: 'Admin' })).status,
      (await owner.post(path, { ...body, email: 'a@x.com,evil@y.z' })).status,
    ]
    expect(statuses).toEqual([403, 403, 404, 404, 403, 400, 400])
    expect((await controller.get(path)).json()).toMatchObject([{ id: invitation.id }])
    const foreign = await newOrganization()
    const elsewhere = pathOf(foreign.id, `/invitations/${invitation.id}`)
    expect((await foreign.owner.delete(elsewhere)).status).toBe(404)
  })

  it('counts towards a daily limit of its mailbox and of its organization, also when withdrawn', async () => {
    const { id, owner } = await newOrganization()
    const email = newEmail()
    const path = pathOf(id, '/invitations')
    const send = (to: string) => owner.post(path, { email: to, role: 'OrgMember' })
    for (const one of [{ id, owner }, await newOrganization()]) {
      const own = pathOf(one.id, '/invitations')
      for (let count = 0; count < 5; count++) {
        const answer = await one.owner.post(own, { email, role: 'OrgMember' })
        expect(answer.status).toBe(200)
        await one.owner.delete(`${own}/${answer.json()['id']}`)
      }
      const next = await one.owner.post(own, { email: email.toUpperCase(), role: 'OrgMember' })
      expect(outcomeOf(next)).toEqual([429, 'too_many_invitations'])
    }
    const third = await newOrganization()
    const body = { email, role: 'OrgMember' }
    const beyond = await third.owner.post(pathOf(third.id, '/invitations'), body)
    expect(outcomeOf(beyond)).toEqual([429, 'too_many_invitations'])
    await service.db
      .insertInto('organization_invitations')
      .values(
        Array.from({ length: 45 }, () => ({
          organization_id: id,
          email: newEmail(),
          role: 'OrgMember' as const,
          invited_by: owner.id,
          created_at: service.clock.now(),
          expires_at: service.clock.now(),
          ended_at: service.clock.now(),
        })),
      )
      .execute()
    expect(outcomeOf(await send(newEmail()))).toEqual([429, 'too_many_invitations'])
  })

  it('an invitation is accepted once in a race', async () => {
    const { id, owner } = await newOrganization()
    const person = await newPerson()
    const invitation = await invite(owner, id, person, 'OrgController')
    const answers = await Promise.all(Array.from({ length: 6 }, () => accept(person, invitation)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404, 404])
    expect(await listMembers(owner, id)).toHaveLength(2)
  })
})

describe('a membership that the person did not accept', () => {
  it('lets the sole owner leave or delete the account', async () => {
    const create = async () =>
      (await admin.post('/api/admin/organizations', { name: 'Trap' })).json<{ id: string }>().id
    for (const end of ['leave', 'delete'] as const) {
      const [id, person] = [await create(), await newPerson()]
      const path = pathOf(id, `/members/${person.id}`)
      expect((await admin.put(path, { role: 'OrgOwner' })).status).toBe(200)
      const answer =
        end === 'leave' ? await leave(person, id) : await person.delete(`/api/users/${person.id}`)
      expect(answer.status).toBe(200)
      expect(await listMembers(admin, id)).toEqual([])
    }
  })

  it('a membership that the person did not accept does not count as the owner who stays', async () => {
    const { id, owner } = await newOrganization()
    const placed = await newPerson()
    await admin.put(pathOf(id, `/members/${placed.id}`), { role: 'OrgOwner' })
    for (const attempt of [
      () => leave(owner, id),
      () => owner.delete(`/api/users/${owner.id}`),
      () => owner.put(pathOf(id, `/members/${owner.id}`), { role: 'OrgMember' }),
    ])
      expect(outcomeOf(await attempt())).toEqual([422, 'last_owner'])
    const path = `/api/organizations/${id}/membership/accept`
    expect((await placed.post(path, { role: 'OrgOwner' })).status).toBe(200)
    expect((await leave(owner, id)).status).toBe(200)
    expect(outcomeOf(await leave(placed, id))).toEqual([422, 'last_owner'])
  })
})

describe('an owner whom another owner made one', () => {
  const promote = async () => {
    const { id, owner } = await newOrganization('Trap')
    const person = await newPerson()
    await inviteMember(owner, id, person, 'OrgMember')
    const path = pathOf(id, `/members/${person.id}`)
    expect((await owner.put(path, { role: 'OrgOwner' })).status).toBe(200)
    return { id, owner, person, path }
  }
  const listed = async (by: Person, id: string) =>
    (await by.get('/api/organizations'))
      .json<{ id: string; owner_accepted_at: string | null }[]>()
      .find((one) => one.id === id)

  it('an owner whom another owner made one leaves or deletes the account until they accept the role', async () => {
    for (const end of ['leave', 'delete', 'lower'] as const) {
      const { id, person, path } = await promote()
      const text = await mailOf(person, 'The members of your organization changed')
      expect(text).toContain('You can leave at any time until then')
      expect(await listed(person, id)).toMatchObject({ role: 'OrgOwner', owner_accepted_at: null })
      const ends = {
        leave: () => leave(person, id),
        delete: () => person.delete(`/api/users/${person.id}`),
        lower: () => person.put(path, { role: 'OrgMember' }),
      }
      expect((await ends[end]()).status).toBe(200)
    }
  })

  it('an owner whom another owner made one is not the owner who stays before accepting the role, also after losing it in between', async () => {
    const { id, owner, person, path } = await promote()
    const accept = () =>
      person.post(`/api/organizations/${id}/membership/accept`, { role: 'OrgOwner' })
    expect(outcomeOf(await leave(owner, id))).toEqual([422, 'last_owner'])
    expect((await accept()).json()).toMatchObject([{ owner_accepted_at: expect.any(String) }])
    for (const role of ['OrgController', 'OrgOwner'])
      expect((await owner.put(path, { role })).status).toBe(200)
    expect(outcomeOf(await leave(owner, id))).toEqual([422, 'last_owner'])
    expect((await accept()).status).toBe(200)
    // The same role once more takes nothing back.
    expect((await owner.put(path, { role: 'OrgOwner' })).status).toBe(200)
    expect((await leave(owner, id)).status).toBe(200)
    expect(outcomeOf(await leave(person, id))).toEqual([422, 'last_owner'])
  })
})

describe('a member', () => {
  it('a member in any role leaves at any time, and loses the rights at once', async () => {
    const { id, owner } = await newOrganization()
    for (const role of ['OrgMember', 'OrgController', 'OrgOwner'] as const) {
      const person = await newPerson()
      await inviteMember(owner, id, person, role)
      expect((await person.get(pathOf(id))).status).toBe(200)
      expect((await leave(person, id)).json()).toEqual({})
      expect((await person.get(pathOf(id))).status).toBe(404)
      expect(outcomeOf(await leave(person, id))).toEqual([404, 'unknown_member'])
    }
    expect(await listMembers(owner, id)).toMatchObject([{ user_id: owner.id }])
  })

  it('a member is told by email when an owner changes the role or removes them', async () => {
    const { id, owner } = await newOrganization('Kelp')
    const person = await newPerson()
    await inviteMember(owner, id, person, 'OrgController')
    const path = pathOf(id, `/members/${person.id}`)
    const subject = 'The members of your organization changed'
    await owner.put(path, { role: 'OrgMember' })
    expect(await mailOf(person, subject)).toContain('“Kelp”')
    await owner.delete(path)
    expect(await mailOf(person, subject)).toContain('no longer a member')
  })
})
