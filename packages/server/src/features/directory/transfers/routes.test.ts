import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { at, grant } from '../../../../test/support/ids.ts'
import {
  type MailedService,
  newcomer,
  type Person,
  register,
  registerAs,
} from '../../../../test/support/people.ts'
import { sharedMailedService } from '../../../../test/support/shared-service.ts'
import { type TransferView, transferSteps } from '../../../../test/support/transfers.ts'
import { addJob } from '../../../platform/jobs/jobs.ts'
import { dayMs } from '../../../platform/time.ts'

let service: MailedService
let admin: Person
let hands: ReturnType<typeof transferSteps>
beforeAll(async () => {
  service = await sharedMailedService()
  admin = await registerAs(service, 'Admin')
  hands = transferSteps(service, admin)
})

type Page = { data: TransferView[]; paging: { total: number; limit: number; sort: string } }
const outcomeOf = (answer: { status: number; json(): Record<string, unknown> }) => [
  answer.status,
  answer.json()['code'],
]
const outgoing = async (by: Person, query = '') =>
  (await by.get(`/api/transfers?${query}`)).json<Page>()
const incoming = async (by: Person, query = '') =>
  (await by.get(`/api/transfers/incoming?${query}`)).json<TransferView[]>()
const idsOf = (list: readonly TransferView[]) => list.map(({ id }) => id)

/** A sender whose id moved to a recipient. */
async function insertAccepted() {
  const offeredTransfer = await hands.inserted('awaiting_receiver')
  const { bert, transfer, code } = offeredTransfer
  expect((await hands.accept(bert, transfer, code)).status).toBe(200)
  return offeredTransfer
}

describe('lists', () => {
  it('lists of the sender: newest first, fifty by default', async () => {
    const { anna, bert, id, transfer } = await hands.inserted('awaiting_sender')
    await anna.delete(hands.path(transfer))
    const second = await hands.post(anna, { eid: id, email: bert.email })
    const { data, paging } = await outgoing(anna)
    expect(idsOf(data)).toEqual([second.id, transfer.id])
    expect(paging).toMatchObject({ total: 2, limit: 50, sort: 'created_at' })
    expect(idsOf((await outgoing(anna, 'limit=1&dir=Asc')).data)).toEqual([transfer.id])
    expect((await outgoing(bert)).data).toEqual([])
    expect((await anna.get('/api/transfers?sort=code_hmac')).status).toBe(400)
  })

  it('lists of other users are for administrators (T61)', async () => {
    const { anna, bert, transfer } = await hands.inserted('awaiting_sender')
    const query = `sender_id=${anna.id}`
    const narrow = await admin.post('/api/api_keys', { name: 'narrow', scopes: ['cart:show'] })
    const headers = { 'x-api-key': narrow.json<{ api_key: string }>().api_key }
    expect((await service.get(`/api/transfers?${query}`, { headers })).status).toBe(403)
    expect((await bert.get(`/api/transfers?${query}`)).status).toBe(403)
    expect(idsOf((await outgoing(admin, query)).data)).toEqual([transfer.id])
    expect(idsOf((await outgoing(anna, query)).data)).toEqual([transfer.id])
  })

  it('filter accepted ones by time; incoming ones are open, and accepted ones on request', async () => {
    const { anna, bert, transfer } = await insertAccepted()
    const other = await grant(admin, { user_id: anna.id })
    const open = await hands.post(anna, { eid: other, email: bert.email })
    const [, doneTransfer] = (await outgoing(anna)).data
    expect(doneTransfer?.id).toBe(transfer.id)
    const before = new Date(Date.parse(doneTransfer?.accepted_at ?? '') - 1).toISOString()
    expect(idsOf((await outgoing(anna, `accepted_after=${before}`)).data)).toEqual([transfer.id])
    const after = `accepted_after=${doneTransfer?.accepted_at}`
    expect((await outgoing(anna, after)).data).toEqual([])
    expect((await anna.get('/api/transfers?accepted_after=soon')).status).toBe(400)

    expect(idsOf(await incoming(bert))).toEqual([open.id])
    expect(idsOf(await incoming(bert, 'accepted=true'))).toEqual([open.id, transfer.id])
    expect(idsOf(await incoming(bert, 'accepted=false'))).toEqual([open.id])
    expect((await bert.get('/api/transfers/incoming?accepted=maybe')).status).toBe(400)
    await anna.delete(hands.path(open))
    expect(await incoming(bert)).toEqual([])
    expect(await incoming(anna)).toEqual([])
  })

  it('show nothing to an account with an unconfirmed address', async () => {
    const [anna, impostor] = [
      await newcomer(service, { isVerified: true }),
      await register(service),
    ]
    const id = await grant(admin, { user_id: anna.id })
    await hands.post(anna, { eid: id, email: impostor.email, message: 'our secret' })
    expect(await incoming(impostor)).toEqual([])
    expect((await impostor.get('/api/account')).body).not.toContain(id)
    expect((await impostor.get('/api/account/load')).body).not.toContain('our secret')
  })
})

it('open transfers show in the account of both sides', async () => {
  const { anna, bert, id, transfer } = await hands.inserted('awaiting_sender')
  const pending = async (by: Person) => (await by.get('/api/account')).json()['pending_transfers']
  const load = async (by: Person) =>
    (await by.get('/api/account/load')).json<{
      incoming_transfers: TransferView[]
      outgoing_transfers: Page
    }>()
  for (const person of [anna, bert]) expect(await pending(person)).toEqual([id])
  const recipient_id = expect.not.stringMatching(bert.id)
  expect((await load(anna)).outgoing_transfers.data).toEqual([{ ...transfer, recipient_id }])
  expect((await load(anna)).incoming_transfers).toEqual([])
  const ofBert = { ...transfer, recipient_id: bert.id }
  expect((await load(bert)).incoming_transfers).toEqual([ofBert])
  expect((await load(bert)).outgoing_transfers.data).toEqual([])
  await anna.delete(hands.path(transfer))
  for (const person of [anna, bert]) expect(await pending(person)).toEqual([])
  expect((await load(bert)).incoming_transfers).toEqual([])
})

describe('a deleted transfer', () => {
  it('a deleted transfer is closed by its sender, twice with one effect, and the recipient is emailed', async () => {
    const { anna, bert, id, transfer, code } = await hands.inserted('awaiting_receiver')
    const deletionAnswer = await anna.delete(hands.path(transfer))
    expect(deletionAnswer.status).toBe(200)
    expect(deletionAnswer.json<TransferView>()).toMatchObject({
      id: transfer.id,
      deleted_at: expect.any(String),
      accepted_at: null,
    })
    expect((await anna.delete(hands.path(transfer))).json()).toEqual(deletionAnswer.json())
    expect(outcomeOf(await hands.accept(bert, transfer, code))).toEqual([422, 'closed_transfer'])
    expect(await hands.ownerOf(id)).toEqual([anna.id])
    await service.settle()
    const texts = service.mailsTo(bert.email).map(({ text }) => text)
    expect(texts.filter((text) => text?.includes('was cancelled'))).toHaveLength(1)
    expect((await hands.post(anna, { eid: id, email: bert.email })).id).not.toBe(transfer.id)
  })

  it('a deleted transfer is closed by an operator, and both sides are emailed', async () => {
    const { anna, bert, transfer } = await hands.inserted('awaiting_receiver')
    expect((await admin.delete(hands.path(transfer))).status).toBe(200)
    await service.settle()
    for (const { email } of [anna, bert]) {
      const texts = service.mailsTo(email).map(({ text }) => text)
      expect(texts.filter((text) => text?.includes('was cancelled'))).toHaveLength(1)
    }
  })

  it('a deleted transfer is only marked after it was accepted: the id does not move back', async () => {
    const { anna, bert, id, transfer } = await insertAccepted()
    expect((await bert.delete(hands.path(transfer))).status).toBe(403)
    const markAnswer = await anna.delete(hands.path(transfer))
    expect(markAnswer.json<TransferView>()).toMatchObject({
      deleted_at: expect.any(String),
      accepted_at: expect.any(String),
    })
    expect(await hands.ownerOf(id)).toEqual([bert.id])
    expect(await incoming(bert)).toEqual([])
    const shownTransfer = { ...markAnswer.json(), recipient_id: bert.id }
    expect(await incoming(bert, 'accepted=true')).toEqual([shownTransfer])
  })

  it('a deleted transfer needs a party of the transfer: 404 for others', async () => {
    expect((await admin.delete(`/api/transfers/${randomUUID()}`)).status).toBe(404)
    expect((await admin.delete('/api/transfers/x')).status).toBe(400)
  })
})

describe('the sweep', () => {
  const sweep = async () => {
    await addJob(service.db, 'transfers.sweep')
    await service.settle()
  }
  const makeOld = ({ id }: TransferView, ms: number) =>
    service.db
      .updateTable('transfers')
      .set({ created_at: new Date(service.clock.now().getTime() - ms) })
      .where('id', '=', id)
      .execute()

  it('closes transfers that were not completed within seven days, and emails both sides', async () => {
    const [begunTransfer, offeredTransfer, youngTransfer] = [
      await hands.inserted('awaiting_sender'),
      await hands.inserted('awaiting_receiver'),
      await hands.inserted('awaiting_receiver'),
    ]
    const accepted = await insertAccepted()
    for (const { transfer } of [begunTransfer, offeredTransfer, accepted])
      await makeOld(transfer, 7 * dayMs)
    await makeOld(youngTransfer.transfer, 7 * dayMs - 60_000)
    await sweep()
    expect(await hands.stateOf(begunTransfer.transfer)).toBe('closed')
    expect(await hands.stateOf(offeredTransfer.transfer)).toBe('closed')
    expect(await hands.stateOf(accepted.transfer)).toBe('accepted')
    expect(await hands.stateOf(youngTransfer.transfer)).toBe('awaiting_receiver')
    for (const { anna, bert } of [begunTransfer, offeredTransfer]) {
      for (const { email } of [anna, bert]) {
        const texts = service.mailsTo(email).map(({ text }) => text)
        expect(texts.filter((text) => text?.includes('within seven days'))).toHaveLength(1)
      }
    }
    const late = await hands.accept(
      offeredTransfer.bert,
      offeredTransfer.transfer,
      offeredTransfer.code,
    )
    expect(outcomeOf(late)).toEqual([422, 'closed_transfer'])
  })
})

describe('a released id', () => {
  it('closes its transfer in the same transaction', async () => {
    const { anna, bert, id, transfer, code } = await hands.inserted('awaiting_receiver')
    expect((await anna.delete(at(id))).status).toBe(200)
    expect(await hands.stateOf(transfer)).toBe('closed')
    expect(outcomeOf(await hands.accept(bert, transfer, code))).toEqual([422, 'closed_transfer'])
    const carl = await newcomer(service, { isVerified: true })
    await grant(admin, { user_id: carl.id }, id)
    expect(outcomeOf(await hands.accept(bert, transfer, code))).toEqual([422, 'closed_transfer'])
    expect(await hands.ownerOf(id)).toEqual([carl.id])
  })
})
