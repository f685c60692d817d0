import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { at, grant, recordsOf } from '../support/ids.ts'
import {
  type MailedService,
  newcomer,
  newEmail,
  type Person,
  registerAs,
} from '../support/people.ts'
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
const times = <Result>(count: number, work: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))
const tally = (answers: { status: number }[]) =>
  Object.fromEntries(
    [...new Set(answers.map(({ status }) => status))].map((status) => [
      status,
      answers.filter((answer) => answer.status === status).length,
    ]),
  )
/** Counts our statements that wait for a lock. */
const blockedStatements = async () => {
  const { rows } = await sql`select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(service.db)
  return rows.length
}

describe('at the same moment (T93, R4)', () => {
  it('six offers of one id: one is created', async () => {
    const anna = await newUser()
    const id = await grant(admin, { user_id: anna.id })
    const emails = [newEmail(), (await newUser()).email]
    const answers = await times(6, (n) =>
      anna.post('/api/transfers', { eid: id, email: emails[n % 2] }),
    )
    expect(tally(answers)).toEqual({ 200: 1, 422: 5 })
    await service.settle()
    expect(hands.codesTo(anna.email)).toHaveLength(1)
  })

  it('five invitations of one mailbox: one account', async () => {
    const email = newEmail()
    const people = await times(5, () => newUser())
    const ids = await Promise.all(people.map(({ id }) => grant(admin, { user_id: id })))
    const answers = await Promise.all(
      people.map((by, n) => by.post('/api/transfers', { eid: ids[n], email })),
    )
    expect(tally(answers)).toEqual({ 200: 5 })
    const accounts = await service.db
      .selectFrom('users')
      .select('id')
      .where('email', '=', email)
      .execute()
    expect(accounts).toHaveLength(1)
    // The recipient learns of a transfer once its sender confirms it.
    await service.settle()
    expect(service.mailsTo(email)).toHaveLength(0)
  })

  it('six times sender_accept: one counts, and one code is sent', async () => {
    const { anna, bert, transfer, code } = await hands.inserted('awaiting_sender')
    const answers = await times(6, () => hands.confirm(anna, transfer, code))
    expect(tally(answers)).toEqual({ 200: 1, 422: 5 })
    await service.settle()
    expect(hands.codesTo(bert.email)).toHaveLength(1)
  })

  it('six times receiver_accept: the id moves once', async () => {
    const { bert, id, transfer, code } = await hands.inserted('awaiting_receiver')
    const answers = await times(6, () => hands.accept(bert, transfer, code))
    expect(tally(answers)).toEqual({ 200: 1, 422: 5 })
    expect(await hands.ownerOf(id)).toEqual([bert.id])
    const history = await service.get(at(id, '/history'))
    expect(history.json<object[]>()).toHaveLength(1)
  })

  it('accept and delete: one of the two, and one owner', async () => {
    for (let round = 0; round < 2; round++) {
      const { anna, bert, id, transfer, code } = await hands.inserted('awaiting_receiver')
      const drop = () => anna.delete(hands.path(transfer))
      const accept = () => hands.accept(bert, transfer, code)
      const [first, second] = round % 2 ? [drop, accept] : [accept, drop]
      await Promise.all([first(), second()])
      const state = String(await hands.stateOf(transfer))
      expect(['accepted', 'closed']).toContain(state)
      expect(await hands.ownerOf(id)).toEqual([state === 'accepted' ? bert.id : anna.id])
    }
  })

  it('accept, release and deletion of the recipient: never an id without an owner', async () => {
    const { anna, bert, id, transfer, code } = await hands.inserted('awaiting_receiver')
    const answers = await Promise.all([
      hands.accept(bert, transfer, code),
      anna.delete(at(id)),
      bert.delete(`/api/users/${bert.id}`),
    ])
    for (const { status } of answers) expect(status).toBeLessThan(500)
    const owners = await hands.ownerOf(id)
    const alive = await service.db
      .selectFrom('users')
      .select('id')
      .where('id', 'in', [anna.id, bert.id])
      .where('deleted_at', 'is', null)
      .execute()
    for (const owner of owners) expect(alive.map(({ id }) => id)).toContain(owner)
    expect(['accepted', 'closed']).toContain(await hands.stateOf(transfer))
  })

  it('wrong and right codes: five wrong ones at most, and never both outcomes', async () => {
    const { anna, bert, id, transfer, code } = await hands.inserted('awaiting_receiver')
    const answers = await times(12, (n) =>
      hands.accept(bert, transfer, n % 4 === 3 ? code : 'AAAAAAAA'),
    )
    const wrong = answers.filter((answer) => answer.json()['code'] === 'wrong_code')
    expect(wrong.length).toBeLessThanOrEqual(5)
    const isAccepted = answers.some(({ status }) => status === 200)
    expect(await hands.ownerOf(id)).toEqual([isAccepted ? bert.id : anna.id])
    expect(await hands.stateOf(transfer)).toBe(isAccepted ? 'accepted' : 'closed')
  })
})

describe('writes concurrent with the accept (T96)', () => {
  it('writes concurrent with the accept (T96) by the former owner leave nothing when the id was cleared', async () => {
    const { anna, bert, id, transfer, code } = await hands.inserted('awaiting_receiver', {
      clear_on_transfer: true,
    })
    const write = (n: number) =>
      n % 2
        ? anna.post(at(id, '/json/SvcPageData'), { data: { n } })
        : anna.patch(at(id), {
            insert: [{ tag: '0x1003', data: `bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4|${n}` }],
          })
    const earlyWrites = times(6, write)
    const acceptanceAnswer = hands.accept(bert, transfer, code)
    const answers = [...(await earlyWrites), ...(await times(6, write))]
    expect((await acceptanceAnswer).status).toBe(200)
    for (const { status } of answers) expect([200, 403]).toContain(status)
    expect(await recordsOf(service, id)).toEqual([])
    const entry = await service.get(at(id, '/json/SvcPageData'))
    expect(entry.json()).toMatchObject({ data: {} })
  })

  it('writes concurrent with the accept (T96) by the waiting new owner count', async () => {
    const { anna, bert, id } = await hands.inserted('awaiting_sender')
    const [key = ''] = (await bert.get('/api/pubkeys')).json<string[]>()
    let write: ReturnType<Person['patch']> | undefined
    await service.db.transaction().execute(async (trx) => {
      await trx.updateTable('emoji_ids').set({ pubkey: key }).where('emoji_id', '=', id).execute()
      write = bert.patch(at(id), { insert: [{ tag: '0x5001', data: 'mine' }] })
      // The write waits for the lock on the id.
      await expect.poll(blockedStatements, { interval: 20 }).toBe(1)
    })
    expect((await write)?.status).toBe(200)
    expect((await anna.patch(at(id), { insert: [] })).status).toBe(403)
  })
})
