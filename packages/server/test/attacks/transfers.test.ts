import { beforeAll, describe, expect, it } from 'vitest'
import { at, grant, recordsOf } from '../support/ids.ts'
import {
  type MailedService,
  newcomer,
  newEmail,
  type Person,
  press,
  registerAs,
} from '../support/people.ts'
import type { Answer } from '../support/service.ts'
import { sharedMailedService } from '../support/shared-service.ts'
import { type TransferView, transferSteps, wrongCode } from '../support/transfers.ts'

let service: MailedService
let admin: Person
let hands: ReturnType<typeof transferSteps>
beforeAll(async () => {
  service = await sharedMailedService()
  admin = await registerAs(service, 'Admin')
  hands = transferSteps(service, admin)
})

const newUser = () => newcomer(service, { isVerified: true })
const statusAndCode = (answer: Answer) => [answer.status, answer.json()['code']]
const bitcoin = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
const write = (by: Pick<Person, 'patch'>, id: string, data = bitcoin) =>
  by.patch(at(id), { insert: [{ tag: '0x1003', data }] })

async function insertAccepted() {
  const offeredTransfer = await hands.inserted('awaiting_receiver')
  const { bert, transfer, code } = offeredTransfer
  expect((await hands.accept(bert, transfer, code)).status).toBe(200)
  return offeredTransfer
}

describe('every state accepts only the actions of the table (T93)', () => {
  type Stage = Awaited<ReturnType<typeof hands.inserted>>
  const stages: Record<string, () => Promise<Stage>> = {
    'awaiting sender': () => hands.inserted('awaiting_sender'),
    'awaiting receiver': () => hands.inserted('awaiting_receiver'),
    accepted: insertAccepted,
    deleted: async () => {
      const offeredTransfer = await hands.inserted('awaiting_receiver')
      await offeredTransfer.anna.delete(hands.path(offeredTransfer.transfer))
      return offeredTransfer
    },
  }
  const triggers: Record<string, (stage: Stage) => Promise<Answer>> = {
    sender_accept: ({ anna, transfer, code }) => hands.confirm(anna, transfer, code),
    receiver_accept: ({ bert, transfer, code }) => hands.accept(bert, transfer, code),
    'resend_code by the sender': async ({ anna, transfer }) => {
      await hands.age(transfer, 61_000)
      return anna.post(hands.path(transfer, '/resend_code'))
    },
    'resend_code by the receiver': async ({ bert, transfer }) => {
      await hands.age(transfer, 61_000)
      return bert.post(hands.path(transfer, '/resend_code'))
    },
    delete: ({ anna, transfer }) => anna.delete(hands.path(transfer)),
  }
  const [sender, receiver] = ['unconfirmed_transfer', 'confirmed_transfer']
  // Each walk is one transfer: first the actions that its state refuses, last the one that ends the
  // state.
  it.each<[string, [string, number | string, string][]]>([
    [
      'awaiting sender',
      [
        ['receiver_accept', sender, 'awaiting_sender'],
        ['resend_code by the receiver', sender, 'awaiting_sender'],
        ['sender_accept', 200, 'awaiting_receiver'],
      ],
    ],
    [
      'awaiting sender',
      [
        ['resend_code by the sender', 200, 'awaiting_sender'],
        ['delete', 200, 'closed'],
      ],
    ],
    [
      'awaiting receiver',
      [
        ['sender_accept', receiver, 'awaiting_receiver'],
        ['resend_code by the sender', receiver, 'awaiting_receiver'],
        ['receiver_accept', 200, 'accepted'],
      ],
    ],
    [
      'awaiting receiver',
      [
        ['resend_code by the receiver', 200, 'awaiting_receiver'],
        ['delete', 200, 'closed'],
      ],
    ],
    [
      'accepted',
      [
        ['sender_accept', 'accepted_transfer', 'accepted'],
        ['receiver_accept', 'accepted_transfer', 'accepted'],
        ['resend_code by the sender', 'accepted_transfer', 'accepted'],
        ['resend_code by the receiver', 'accepted_transfer', 'accepted'],
        ['delete', 200, 'accepted'],
      ],
    ],
    [
      'deleted',
      [
        ['sender_accept', 'closed_transfer', 'closed'],
        ['receiver_accept', 'closed_transfer', 'closed'],
        ['resend_code by the sender', 'closed_transfer', 'closed'],
        ['resend_code by the receiver', 'closed_transfer', 'closed'],
        ['delete', 200, 'closed'],
      ],
    ],
  ])('%s: %j', async (stage, steps) => {
    const start = await (stages[stage] as () => Promise<Stage>)()
    for (const [trigger, outcome, state] of steps) {
      const answer = await (triggers[trigger] as (typeof triggers)[string])(start)
      if (outcome === 200) expect(answer.status, trigger).toBe(200)
      else expect(statusAndCode(answer), trigger).toEqual([422, outcome])
      expect(await hands.stateOf(start.transfer), trigger).toBe(state)
      const owner = state === 'accepted' ? start.bert : start.anna
      expect(await hands.ownerOf(start.id), trigger).toEqual([owner.id])
    }
  })
})

describe('an unconfirmed mailbox', () => {
  it('an unconfirmed mailbox gets few offers a day from all senders, deleted ones included', async () => {
    const stranger = newEmail()
    const answers: Answer[] = []
    for (let n = 0; n < 2; n++) {
      const sender = await newUser()
      const eid = await grant(admin, { user_id: sender.id })
      for (let repeatCount = 0; repeatCount < 4; repeatCount++) {
        const answer = await sender.post('/api/transfers', { eid, email: stranger })
        answers.push(answer)
        if (answer.status !== 200) continue
        const { id } = answer.json<TransferView>()
        expect((await sender.delete(`/api/transfers/${id}`)).status).toBe(200)
      }
    }
    const refusal = [429, 'too_many_transfers']
    expect(answers.slice(5).map(statusAndCode)).toEqual([refusal, refusal, refusal])
    expect(answers.slice(0, 5).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  })
})

describe('a transfer code (T93)', () => {
  it('a transfer code (T93) is too long to guess and specific to its side and transfer', async () => {
    const [one, other] = [await hands.offered(), await hands.offered()]
    const codes = [one.code, one.senderCode, other.code, other.senderCode]
    for (const code of codes) expect(code).toMatch(/^[A-HJ-NP-Z2-9]{8}$/)
    expect(new Set(codes).size).toBe(4)
    for (const code of [one.senderCode, other.code, other.senderCode, '', '\u{1F980}'.repeat(9)]) {
      const answer = await hands.accept(one.bert, one.transfer, code)
      expect(statusAndCode(answer)).toEqual([422, 'wrong_code'])
    }
    expect(await hands.ownerOf(one.id)).toEqual([one.anna.id])
    expect(await hands.stateOf(one.transfer)).toBe('closed')

    const next = await hands.post(one.anna, { eid: one.id, email: one.bert.email })
    for (const old of [one.code, one.senderCode]) {
      expect(statusAndCode(await hands.confirm(one.anna, next, old))).toEqual([422, 'wrong_code'])
    }
    expect(await hands.stateOf(next)).toBe('awaiting_sender')
  })

  it.each(['sender', 'receiver'])(
    'entered wrong five times ends the transfer: %s',
    async (side) => {
      const { anna, bert, id, transfer, code } = await hands.inserted(
        side === 'sender' ? 'awaiting_sender' : 'awaiting_receiver',
      )
      const give = (text: string) =>
        side === 'sender' ? hands.confirm(anna, transfer, text) : hands.accept(bert, transfer, text)
      for (let n = 0; n < 4; n++)
        expect(statusAndCode(await give(wrongCode(code)))).toEqual([422, 'wrong_code'])
      // A new code gives no further tries.
      await hands.age(transfer, 61_000)
      const by = side === 'sender' ? anna : bert
      expect((await by.post(hands.path(transfer, '/resend_code'))).status).toBe(200)
      const next = await hands.codeTo(by)
      expect(statusAndCode(await give(wrongCode(next)))).toEqual([422, 'wrong_code'])
      for (let n = 0; n < 2; n++)
        expect(statusAndCode(await give(next))).toEqual([422, 'closed_transfer'])
      expect(await hands.ownerOf(id)).toEqual([anna.id])
      await expect
        .poll(() => service.mailsTo(anna.email).some(({ text }) => text?.includes('wrong codes')))
        .toBe(true)
    },
  )
})

describe('a transfer (T93)', () => {
  it('a transfer (T93) is rejected twice at once, without the id, or to oneself, and creates no account', async () => {
    const { anna, bert, id } = await hands.inserted('awaiting_sender')
    const offer = (by: Person, email: string) => by.post('/api/transfers', { eid: id, email })
    const email = newEmail()
    expect(statusAndCode(await offer(anna, email))).toEqual([422, 'open_transfer'])
    expect(statusAndCode(await offer(bert, email))).toEqual([403, 'not_yours'])
    expect(statusAndCode(await offer(admin, email))).toEqual([403, 'not_yours'])
    const matchingRows = await service.db
      .selectFrom('users')
      .select('id')
      .where('email', '=', email)
      .execute()
    expect(matchingRows).toEqual([])
    const own = await grant(admin, { user_id: anna.id })
    const keys = (await anna.get('/api/pubkeys')).json<string[]>()
    for (const to of [{ email: anna.email.toUpperCase() }, { pubkey: keys[0] }]) {
      const answer = await anna.post('/api/transfers', { eid: own, ...to })
      expect(statusAndCode(answer)).toEqual([422, 'to_self'])
    }
  })
})

describe('an offer to a mailbox (T94)', () => {
  it('an offer to a mailbox (T94) is not accepted by a user who registered the mailbox without opening it', async () => {
    const { anna, bert: impostor, id, transfer, code } = await hands.inserted('awaiting_receiver')
    await service.db
      .updateTable('users')
      .set({ email_verified_at: null })
      .where('id', '=', impostor.id)
      .execute()
    expect(statusAndCode(await hands.accept(impostor, transfer, wrongCode(code)))).toEqual([
      422,
      'wrong_code',
    ])
    await hands.age(transfer, 61_000)
    const resendAnswer = await impostor.post(hands.path(transfer, '/resend_code'))
    expect(statusAndCode(resendAnswer)).toEqual([422, 'unconfirmed_email'])
    expect(await hands.ownerOf(id)).toEqual([anna.id])
  })

  it('an offer to a mailbox (T94) is not accepted by a third party, the sender, or a user who changed the address since', async () => {
    const { anna, bert, id, transfer, code } = await hands.inserted('awaiting_receiver')
    const carl = await newUser()
    const refusal = [404, 'unknown_transfer']
    expect(statusAndCode(await hands.accept(carl, transfer, code))).toEqual(refusal)
    expect(statusAndCode(await hands.accept(anna, transfer, code))).toEqual([403, 'receiver_only'])
    await service.db
      .updateTable('users')
      .set({ email: newEmail() })
      .where('id', '=', bert.id)
      .execute()
    expect(statusAndCode(await hands.accept(bert, transfer, code))).toEqual([422, 'other_email'])
    expect(await hands.ownerOf(id)).toEqual([anna.id])
  })
})

describe('a third party (T60)', () => {
  it('a third party (T60) is refused every request, as the recipient is those of the sender, and nothing changes', async () => {
    const { anna, bert, transfer, code } = await hands.inserted('awaiting_sender')
    const mallory = await newUser()
    const row = () =>
      service.db.selectFrom('transfers').selectAll().where('id', '=', transfer.id).execute()
    const before = await row()
    const acts = [
      () => hands.confirm(mallory, transfer, code),
      () => hands.accept(mallory, transfer, code),
      () => mallory.post(hands.path(transfer, '/resend_code')),
      () => mallory.delete(hands.path(transfer)),
    ]
    for (const act of acts) {
      expect(statusAndCode(await act())).toEqual([404, 'unknown_transfer'])
    }
    expect(statusAndCode(await hands.confirm(bert, transfer, code))).toEqual([403, 'sender_only'])
    expect(await row()).toEqual(before)
    expect((await hands.confirm(anna, transfer, code)).status).toBe(200)
  })
})

describe('the former owner (T96)', () => {
  it.each([true, false])(
    'cannot write, nor undo with an old link, cleared: %s',
    async (isCleared) => {
      const { anna, bert, id, transfer, code } = await hands.inserted('awaiting_sender', {
        clear_on_transfer: isCleared,
      })
      await write(anna, id, '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa')
      await write(anna, id)
      const links = () =>
        service
          .mailsTo(anna.email)
          .flatMap(({ text }) => /\/auth\/undo_change\S+/.exec(text ?? '')?.[0] ?? [])
      await expect.poll(() => links().length).toBe(2)
      await hands.confirm(anna, transfer, code)
      await hands.accept(bert, transfer, await hands.codeTo(bert))
      const before = await recordsOf(service, id)
      expect(before).toHaveLength(isCleared ? 0 : 1)
      for (const link of links()) expect((await press(service, link)).status).toBe(422)
      const tries = [
        await write(anna, id),
        await anna.post(at(id, '/json/SvcPageData'), { data: { by: 'anna' } }),
        await anna.delete(at(id)),
        await anna.post('/api/transfers', { eid: id, email: newEmail() }),
        await anna.post(at(id, '/generate_signature'), { account: `0x${'5'.repeat(40)}` }),
      ]
      for (const answer of tries) expect(statusAndCode(answer)).toEqual([403, 'not_yours'])
      expect(await recordsOf(service, id)).toEqual(before)

      // Nor is the former owner paid after the new owner undoes their own first change.
      const own = '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy'
      expect((await write(bert, id, own)).status).toBe(200)
      const mail = () => service.mailsTo(bert.email).find(({ text }) => text?.includes(own))
      await expect.poll(mail).toBeDefined()
      const link = /\/auth\/undo_change\S+/.exec(mail()?.text ?? '')?.[0] ?? ''
      expect((await press(service, link)).status).toBe(200)
      expect((await recordsOf(service, id)).map(({ data }) => data)).toEqual(
        before.map(({ data }) => data),
      )
    },
  )
})

describe('deleting an account (T99)', () => {
  it('deleting the account is rejected for the owner; the recipient’s deletion ends the transfer, notifies the sender, and leaves no name (T99)', async () => {
    const { anna, bert, id, transfer } = await hands.inserted('awaiting_receiver', {
      message: 'for you alone',
    })
    expect(statusAndCode(await anna.delete(`/api/users/${anna.id}`))).toEqual([422, 'still_owns'])
    expect(await hands.stateOf(transfer)).toBe('awaiting_receiver')
    expect((await bert.delete(`/api/users/${bert.id}`)).status).toBe(200)
    expect(await hands.stateOf(transfer)).toBe('closed')
    expect(await hands.ownerOf(id)).toEqual([anna.id])
    const [row] = (await anna.get('/api/transfers')).json<{ data: TransferView[] }>().data
    expect(row).toMatchObject({ id: transfer.id, email: '', message: null })
    await expect
      .poll(() => service.mailsTo(anna.email).some(({ text }) => text?.includes('was deleted')))
      .toBe(true)
  })

  it('succeeds after the transfer, which stays on record', async () => {
    const { anna, bert, id, transfer } = await insertAccepted()
    expect((await anna.delete(`/api/users/${anna.id}`)).status).toBe(200)
    expect(statusAndCode(await bert.delete(`/api/users/${bert.id}`))).toEqual([422, 'still_owns'])
    expect(await hands.ownerOf(id)).toEqual([bert.id])
    expect(await hands.stateOf(transfer)).toBe('accepted')
  })
})
