import { beforeAll, describe, expect, it } from 'vitest'
import { newOrganization } from '../../../../test/support/applications.ts'
import { at, grant, insertOwnedId, newId, proofOf } from '../../../../test/support/ids.ts'
import { placeMember } from '../../../../test/support/members.ts'
import { suspendablePaths } from '../../../../test/support/open-routes.ts'
import {
  type MailedService,
  newcomer,
  type Person,
  registerAs,
} from '../../../../test/support/people.ts'
import { sharedMailedService } from '../../../../test/support/shared-service.ts'
import { transferSteps } from '../../../../test/support/transfers.ts'

let service: MailedService
let admin: Person
let steps: ReturnType<typeof transferSteps>
beforeAll(async () => {
  service = await sharedMailedService()
  admin = await registerAs(service, 'Admin')
  steps = transferSteps(service, admin)
})

const bitcoin = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'
const otherBitcoin = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
const inAdmin = (id: string, rest: string) =>
  `/api/admin/emoji_ids/${encodeURIComponent(id)}/${rest}`
const suspend = async (id: string, reason = 'Phishing') =>
  expect((await admin.post(inAdmin(id, 'suspend'), { reason })).status).toBe(200)
const restore = async (id: string, reason = 'Appeal accepted') =>
  expect((await admin.post(inAdmin(id, 'restore'), { reason })).status).toBe(200)

/** An id with an address, and its owner. */
async function ownedId() {
  const anna = await newcomer(service, { isVerified: true })
  const id = await insertOwnedId(service, anna.id)
  const insert = [
    { tag: '0x1003', data: bitcoin },
    { tag: '0x0004', data: 'https://example.com/crab' },
  ]
  expect((await anna.patch(at(id), { insert })).status).toBe(200)
  return { anna, id }
}

/** The status of every public address, asked again with the tag of an earlier response. */
const statusesOf = async (id: string, etags: ReadonlyMap<string, string> = new Map()) => {
  const statuses: Record<string, number> = {}
  const seenStatuses = new Map<string, string>()
  for (const path of suspendablePaths(id)) {
    const etag = etags.get(path)
    const headers = etag ? { 'if-none-match': etag } : {}
    const answer = await service.get(path, { headers })
    statuses[path] = answer.status
    seenStatuses.set(path, answer.headers.get('etag') ?? '')
  }
  return { statuses, etags: seenStatuses }
}

describe('a suspended id', () => {
  it('refuses every form of lookup, page and picture with 451, never 304, until it is restored', async () => {
    const { id } = await ownedId()
    const before = await statusesOf(id)
    expect(new Set(Object.values(before.statuses))).toEqual(new Set([200, 303]))
    await suspend(id)
    const during = await statusesOf(id, before.etags)
    expect(new Set(Object.values(during.statuses))).toEqual(new Set([451]))
    const lookup = await service.get(at(id))
    expect(lookup.json()).toMatchObject({ code: 'suspended', error: expect.any(String) })
    expect(lookup.json()).toHaveProperty('request_id')
    expect(lookup.headers.get('cache-control')).toBe('no-cache')
    const page = await service.get(`/${encodeURIComponent(id)}`)
    expect(page.body).toContain('This emoji id is suspended')
    expect(page.body).not.toContain(bitcoin)
    const batch = await service.post('/api/emoji_id/lookup', { emoji_ids: [id, '🔥🐍'] })
    expect(batch.json()).toMatchObject({
      data: [
        { emoji_id: id, status: false, result: null, error: { code: 'suspended' } },
        { emoji_id: '🔥🐍' },
      ],
    })
    const search = await service.get(`/api/emoji_id/search?emoji_id=${encodeURIComponent(id)}`)
    expect(search.json()).toMatchObject({ result: { availability: 'Taken', available: false } })
    await restore(id)
    expect((await statusesOf(id)).statuses).toEqual(before.statuses)
  })

  it('refuses changes, transfers, mints, releases and store entries by its owner and operators', async () => {
    const { anna, id } = await ownedId()
    await suspend(id)
    const account = `0x${'11'.repeat(20)}`
    const expiry = Math.floor(service.clock.now().getTime() / 1_000) + 600
    const bert = await newcomer(service, { isVerified: true })
    const attempts = [
      anna.patch(at(id), { insert: [{ tag: '0x1003', data: otherBitcoin }] }),
      admin.patch(at(id), { insert: [{ tag: '0x1003', data: otherBitcoin }] }),
      anna.post(at(id, '/json/SvcPageData'), { data: { title: 'New' } }),
      anna.put(at(id, '/delay_lock'), { hours: 24 }),
      anna.post('/api/transfers', { eid: id, email: bert.email }),
      admin.post('/api/transfers', {
        eid: id,
        email: bert.email,
        force_transfer: true,
        reason: 'Support',
      }),
      anna.post(at(id, '/generate_signature'), { account, expiry }),
      anna.delete(at(id)),
    ]
    for (const answer of await Promise.all(attempts)) {
      expect([answer.status, answer.json().code]).toEqual([451, 'suspended'])
      // Not the sentence for payers: it says where to appeal.
      const { error } = answer.json<{ error: string }>()
      expect(error).toContain('write to no-reply@localhost')
      expect(error).not.toContain('Do not send payments')
    }
    const deletionAnswer = await anna.delete(`/api/users/${anna.id}`)
    expect([deletionAnswer.status, deletionAnswer.json()]).toMatchObject([
      422,
      { code: 'still_owns' },
    ])
    expect(deletionAnswer.json<{ error: string }>().error).toMatch(
      /suspended .* write to no-reply@localhost/,
    )
    expect((await service.get(at(id))).json<{ error: string }>().error).toContain(
      'Do not send payments',
    )
    const importedAnswer = await admin.post('/api/admin/emoji_ids/import', {
      rows: [{ emoji_id: id, records: [{ tag: '0x1003', data: otherBitcoin }] }],
    })
    expect(importedAnswer.json()).toMatchObject({
      data: [{ status: 'refused', error: { code: 'suspended' } }],
    })
    const listedIds = (await anna.get('/api/emoji_id/extended')).json<{ suspended_at: string }[]>()
    expect(listedIds[0]?.suspended_at).toEqual(expect.any(String))
    await restore(id)
    expect((await proofOf(service, id)).records.map(({ data }) => data)).toContain(bitcoin)
  })

  it('a suspended id is not handed over by a transfer that was open before, and neither code is used up', async () => {
    const { anna, bert, id, transfer, code } = await steps.inserted('awaiting_receiver')
    await suspend(id)
    const refusal = await steps.accept(bert, transfer, code)
    expect([refusal.status, refusal.json()]).toMatchObject([451, { code: 'suspended' }])
    expect(await steps.ownerOf(id)).toEqual([anna.id])
    await restore(id)
    expect((await steps.accept(bert, transfer, code)).status).toBe(200)
  })

  it('a suspended id has no waiting change of payment addresses left', async () => {
    const { anna, id } = await ownedId()
    expect((await anna.put(at(id, '/delay_lock'), { hours: 1 })).status).toBe(200)
    const insert = [{ tag: '0x1003', data: otherBitcoin }]
    const planAnswer = await anna.patch(at(id), { insert })
    expect(planAnswer.status).toBe(200)
    await suspend(id)
    await restore(id)
    const lock = (await anna.get(at(id, '/delay_lock'))).json()
    expect(lock).toMatchObject({ hours: 1, waiting: null })
    const { records } = await proofOf(service, id)
    expect(records.map(({ data }) => data)).not.toContain(otherBitcoin)
  })

  it('emails the owner the reason and the address for appeals, and writes both to the audit log', async () => {
    const { anna, id } = await ownedId()
    await service.mailTo(anna.email, 1)
    await suspend(id, 'Impersonates a bank')
    const mail = await service.mailTo(anna.email, 2)
    expect(mail?.text).toContain('Impersonates a bank')
    expect(mail?.text).toContain('no-reply@localhost')
    // A repeat neither emails nor changes anything.
    await suspend(id, 'Again')
    await restore(id, 'They proved it')
    expect((await service.mailTo(anna.email, 3))?.text).toContain('They proved it')
    const { data } = (await admin.get(`/api/admin/audit?subject_id=${anna.id}`)).json<{
      data: { event: string; details: { reason?: string } }[]
    }>()
    const events = data.filter(({ event }) => /suspended|restored/.test(event))
    expect(events.map(({ event, details }) => [event, details.reason])).toEqual([
      ['emoji_id.restored', 'They proved it'],
      ['emoji_id.suspended', 'Impersonates a bank'],
    ])
  })

  it('a suspended id is suspended and restored by operators only, with a reason, and never by its own owner', async () => {
    const { anna, id } = await ownedId()
    expect((await anna.post(inAdmin(id, 'suspend'), { reason: 'Mine' })).status).toBe(403)
    expect((await admin.post(inAdmin(id, 'suspend'), {})).status).toBe(400)
    expect((await admin.post(inAdmin(newId(), 'suspend'), { reason: 'None' })).status).toBe(404)
    const own = await insertOwnedId(service, admin.id)
    const refusal = await admin.post(inAdmin(own, 'suspend'), { reason: 'A test' })
    expect([refusal.status, refusal.json()]).toMatchObject([403, { code: 'own_id' }])
    expect((await service.get(at(own))).status).toBe(200)
    const other = await registerAs(service, 'Admin')
    expect((await other.post(inAdmin(own, 'suspend'), { reason: 'Phishing' })).status).toBe(200)
    const restoreAnswer = await admin.post(inAdmin(own, 'restore'), { reason: 'It is mine' })
    expect([restoreAnswer.status, restoreAnswer.json()]).toMatchObject([403, { code: 'own_id' }])
    const list = await admin.get(`/api/admin/suspensions?user_id=${admin.id}`)
    expect(list.json()).toMatchObject({ data: [{ canonical_format: own, reason: 'Phishing' }] })
  })
})

describe('a deactivated account', () => {
  const deactivate = (id: string, more: object = {}) =>
    admin.post(`/api/admin/users/${id}/deactivate`, { reason: 'Scammer', ...more })
  const activate = (id: string, more: object = {}) =>
    admin.post(`/api/admin/users/${id}/activate`, { reason: 'A mistake', ...more })
  const statusOf = async (id: string) => (await service.get(at(id))).status

  it('a deactivated account has its ids suspended, and activation restores those that were suspended with it', async () => {
    const { anna, id } = await ownedId()
    const before = await insertOwnedId(service, anna.id)
    await suspend(before)
    const foreign = await ownedId()
    expect((await deactivate(anna.id)).status).toBe(200)
    expect([await statusOf(id), await statusOf(foreign.id)]).toEqual([451, 200])
    expect((await activate(anna.id)).status).toBe(200)
    expect([await statusOf(id), await statusOf(before)]).toEqual([200, 451])
  })

  it('a deactivated account has the ids of an organization suspended if it was the last active power role', async () => {
    const [anna, bert, carl] = await Promise.all(
      [1, 2, 3].map(() => newcomer(service, { isVerified: true })),
    )
    if (!anna || !bert || !carl) throw new Error('Three people are missing')
    const organization_id = await newOrganization(admin)
    await placeMember(admin, organization_id, anna, 'OrgOwner')
    await placeMember(admin, organization_id, bert, 'OrgOwner')
    await placeMember(admin, organization_id, carl, 'OrgMember')
    const id = await grant(admin, { organization_id })
    const before = await grant(admin, { organization_id })
    await suspend(before)

    expect((await deactivate(anna.id)).status).toBe(200)
    expect(await statusOf(id)).toBe(200)
    // An active owner has to stay: the deactivated one cannot act for it.
    const path = `/api/admin/organizations/${organization_id}/members/${bert.id}`
    const leaveAnswer = await bert.delete(path)
    expect([leaveAnswer.status, leaveAnswer.json()]).toMatchObject([422, { code: 'last_owner' }])
    expect((await deactivate(bert.id, { suspend_ids: false })).status).toBe(200)
    expect(await statusOf(id)).toBe(200)
    expect((await deactivate(bert.id)).status).toBe(200)
    expect(await statusOf(id)).toBe(451)
    await service.settle()
    const mails = service.mailsTo(bert.email).map(({ text }) => text)
    expect(mails.join()).toContain('Scammer')
    // A member without a power role does not restore it; any owner does.
    expect((await deactivate(carl.id)).status).toBe(200)
    expect((await activate(carl.id)).status).toBe(200)
    expect(await statusOf(id)).toBe(451)
    expect((await activate(anna.id)).status).toBe(200)
    expect([await statusOf(id), await statusOf(before)]).toEqual([200, 451])
    expect((await activate(bert.id)).status).toBe(200)
    expect([await statusOf(id), await statusOf(before)]).toEqual([200, 451])
  })

  it('a deactivated account does not restore ids of an organization that it left', async () => {
    const [anna, bert] = [await newcomer(service), await newcomer(service)]
    const organization_id = await newOrganization(admin)
    const member = ({ id }: Person) => `/api/admin/organizations/${organization_id}/members/${id}`
    expect((await admin.put(member(anna), { role: 'OrgOwner' })).status).toBe(200)
    const id = await grant(admin, { organization_id })
    expect((await deactivate(anna.id)).status).toBe(200)
    expect((await admin.put(member(bert), { role: 'OrgOwner' })).status).toBe(200)
    expect((await admin.delete(`${member(anna)}?reason=Left`)).status).toBe(200)
    expect((await activate(anna.id)).status).toBe(200)
    expect(await statusOf(id)).toBe(451)
  })

  it('a deactivated account has them suspended also if both owners are deactivated at once', async () => {
    const [anna, bert] = [await newcomer(service), await newcomer(service)]
    const organization_id = await newOrganization(admin)
    for (const { id } of [anna, bert]) {
      const path = `/api/admin/organizations/${organization_id}/members/${id}`
      expect((await admin.put(path, { role: 'OrgOwner' })).status).toBe(200)
    }
    const id = await grant(admin, { organization_id })
    const both = await Promise.all([deactivate(anna.id), deactivate(bert.id)])
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    expect(await statusOf(id)).toBe(451)
  })

  it('keeps its ids if the operator unticks it, and an own suspension outlasts activation', async () => {
    const { anna, id } = await ownedId()
    expect((await deactivate(anna.id, { suspend_ids: false })).status).toBe(200)
    expect(await statusOf(id)).toBe(200)
    expect((await deactivate(anna.id)).status).toBe(200)
    await suspend(id, 'The id itself is a problem')
    expect((await activate(anna.id)).status).toBe(200)
    expect(await statusOf(id)).toBe(451)
  })
})
