import { randomUUID } from 'node:crypto'
import { codeHmac } from '../../src/features/directory/transfers/rules.ts'
import { createSealer } from '../../src/platform/crypto/seal.ts'
import { grant, insertOwnedId } from './ids.ts'
import { masterKey } from './own-keys.ts'
import { type MailedService, newcomer, type Person } from './people.ts'
import { waitUntil } from './wait.ts'

export type TransferView = {
  id: string
  eid: string
  email: string
  recipient_id: string
  clear_on_transfer: boolean
  created_at: string
  accepted_at: string | null
  deleted_at: string | null
  sender_code_accepted_at: string | null
  message: string | null
}
type Posting = Pick<Person, 'post'>

const codeKey = createSealer([masterKey]).derive('transfer codes')

/** Steps of a transfer, with the codes from the emails. */
export function transferSteps(service: MailedService, admin: Person) {
  const codesTo = (email: string) =>
    service
      .mailsTo(email)
      .flatMap(({ text }) => /^Code: ([A-Z2-9]{8})$/m.exec(text ?? '')?.[1] ?? [])
  const newUser = () => newcomer(service, { isVerified: true })
  const post = async (by: Posting, body: object) => {
    const answer = await by.post('/api/transfers', body)
    if (answer.status !== 200) throw new Error(`${answer.status} ${answer.body}`)
    return answer.json<TransferView>()
  }
  const steps = {
    codesTo,
    /** The latest code to a user, once this many arrived. */
    async codeTo({ email }: { email: string }, count = 1): Promise<string> {
      const hasCome = () => codesTo(email).length >= count
      await waitUntil(() => hasCome() || `${codesTo(email).length} codes to ${email} so far`)
      return codesTo(email)[count - 1] as string
    },
    post,
    path: ({ id }: { id: string }, rest = '') => `/api/transfers/${id}${rest}`,
    confirm: (by: Posting, { id }: { id: string }, code: string) =>
      by.post(`/api/transfers/${id}/sender_accept`, { code }),
    accept: (by: Posting, { id }: { id: string }, code: string) =>
      by.post(`/api/transfers/${id}/receiver_accept`, { code }),

    /**
     * A sender with an id in transfer to a recipient, as rows and without emails. The code is that
     * of the sender, or that of the recipient once the sender has confirmed.
     */
    async inserted(status: 'awaiting_sender' | 'awaiting_receiver', more = {}) {
      const [anna, bert] = [await newUser(), await newUser()]
      const id = await insertOwnedId(service, anna.id)
      const [now, code] = [service.clock.now(), 'CRABCRAB']
      const side = status === 'awaiting_sender' ? 'sender' : 'receiver'
      const transferId = randomUUID()
      await service.db
        .insertInto('transfers')
        .values({
          id: transferId,
          emoji_id: id,
          status,
          sender_id: anna.id,
          recipient_id: bert.id,
          organization_id: null,
          email: bert.email,
          pubkey: null,
          clear_on_transfer: false,
          message: null,
          code_hmac: codeHmac(codeKey, transferId, side, code),
          code_sent_at: now,
          created_at: now,
          sender_code_accepted_at: side === 'receiver' ? now : null,
          accepted_at: null,
          deleted_at: null,
          ...more,
        })
        .execute()
      const page = (await anna.get('/api/transfers')).json<{ data: TransferView[] }>()
      return { anna, bert, id, transfer: page.data[0] as TransferView, code }
    },
    /** A sender with an id in transfer to a recipient. */
    async begun(body: object = {}) {
      const [anna, bert] = [await newUser(), await newUser()]
      const id = await grant(admin, { user_id: anna.id })
      const transfer = await post(anna, { eid: id, email: bert.email, ...body })
      return { anna, bert, id, transfer, code: await steps.codeTo(anna) }
    },
    /** The same, once the sender has confirmed it. */
    async offered(body: object = {}) {
      const begunTransfer = await steps.begun(body)
      const answer = await steps.confirm(
        begunTransfer.anna,
        begunTransfer.transfer,
        begunTransfer.code,
      )
      if (answer.status !== 200) throw new Error(`${answer.status} ${answer.body}`)
      return {
        ...begunTransfer,
        senderCode: begunTransfer.code,
        code: await steps.codeTo(begunTransfer.bert),
      }
    },
    /** The same, once the recipient owns the id. */
    async accepted(body: object = {}) {
      const offeredTransfer = await steps.offered(body)
      const answer = await steps.accept(
        offeredTransfer.bert,
        offeredTransfer.transfer,
        offeredTransfer.code,
      )
      if (answer.status !== 200) throw new Error(`${answer.status} ${answer.body}`)
      return offeredTransfer
    },
    /** The owner of an id. */
    async ownerOf(emoji_id: string) {
      const ownerRow = await service.db
        .selectFrom('emoji_ids')
        .innerJoin('keys', 'keys.pubkey', 'emoji_ids.pubkey')
        .select('keys.user_id')
        .where('emoji_id', '=', emoji_id)
        .execute()
      return ownerRow.map(({ user_id }) => user_id)
    },
    /** Ages its code. */
    age: ({ id }: { id: string }, ms: number) =>
      service.db
        .updateTable('transfers')
        .set({ code_sent_at: new Date(service.clock.now().getTime() - ms) })
        .where('id', '=', id)
        .execute(),
    stateOf: async ({ id }: { id: string }) =>
      (
        await service.db
          .selectFrom('transfers')
          .select('status')
          .where('id', '=', id)
          .executeTakeFirst()
      )?.status,
  }
  return steps
}

/** A wrong code. */
export const wrongCode = (code: string): string => (code === 'AAAAAAAA' ? 'BBBBBBBB' : 'AAAAAAAA')
