import { parseTypedId } from '@emojid/sdk'
import type { Command } from '../command.ts'
import { moment } from '../words.ts'

type Transfer = {
  id: string
  eid: string
  email: string
  created_at: string
  accepted_at: string | null
  deleted_at: string | null
}

const columns = ['id', 'direction', 'with', 'since', 'state', 'number']
const stateOf = ({ accepted_at, deleted_at }: Transfer) =>
  accepted_at ? 'accepted' : deleted_at ? 'over' : 'open'

const list: Command = {
  name: 'transfer list',
  about: 'List transfers, from you and to you',
  examples: ['emojid transfer list'],
  async run({ call, out }) {
    const [outgoing, incoming] = await call((client) =>
      Promise.all([
        client.api.transfers.listTransfers({ query: { limit: 200 } }),
        client.api.transfers.listIncomingTransfers(),
      ]),
    )
    const all = [
      ...outgoing.data.map((one) => ({ direction: 'outgoing', ...one })),
      ...incoming.map((one) => ({ direction: 'incoming', ...one })),
    ]
    await out.list(all, {
      columns,
      row: (one) => [
        one.eid,
        one.direction,
        one.email,
        moment(one.created_at),
        stateOf(one),
        one.id,
      ],
      none: 'There are no transfers.',
    })
  },
}

const offer: Command = {
  name: 'transfer',
  about: 'Offer an id of yours to somebody',
  parameters: ['<id>', '<e-mail address or key>'],
  details:
    'A code is mailed to you. Confirm with it: emojid transfer confirm. Then the receiver accepts.',
  options: {
    message: { type: 'string', value: 'text', about: 'for the receiver' },
    clear: { type: 'boolean', about: 'records and everything stored stay behind' },
    yes: { type: 'boolean', about: 'do it without asking' },
  },
  examples: ['emojid transfer 🦀🐙🍕 bert@example.com --yes'],
  async run({ call, ask, out }, { parameters: [typed = '', receiver = ''], text, flag }) {
    const eid = parseTypedId(typed)
    const isKey = /^[0-9a-f]{64}$/i.test(receiver)
    if (!flag('yes') && !(await ask.agrees(`Give ${eid} to ${receiver}?`))) {
      return out.show({ eid, offered: false }, () => 'Nothing was offered.')
    }
    const message = text('message')
    const transfer = await call((client) =>
      client.api.transfers.requestTransfer({
        body: {
          eid,
          clear_on_transfer: flag('clear'),
          ...(isKey ? { pubkey: receiver } : { email: receiver }),
          ...(message === undefined ? {} : { message }),
        },
      }),
    )
    out.show(transfer, () => [
      `${out.bold(eid)} is offered to ${receiver}.`,
      `Confirm with the code from your mail: emojid transfer confirm ${transfer.id} <code>`,
    ])
  },
}

const confirm: Command = {
  name: 'transfer confirm',
  about: 'Confirm with the mailed code that you give an id away',
  parameters: ['<number>', '<code>'],
  examples: ['emojid transfer confirm "$TRANSFER" "$SENDER_CODE"'],
  async run({ call, out }, { parameters: [transfer_id = '', code = ''] }) {
    const transfer = await call((client) =>
      client.api.transfers.senderAcceptTransfer({ path: { transfer_id }, body: { code } }),
    )
    out.show(transfer, () => `Now ${transfer.email || 'the receiver'} can accept ${transfer.eid}.`)
  },
}

const accept: Command = {
  name: 'transfer accept',
  about: 'Accept an id with the mailed code',
  parameters: ['<number>', '<code>'],
  examples: ['emojid transfer accept "$INCOMING" "$RECEIVER_CODE"'],
  async run({ call, out }, { parameters: [transfer_id = '', code = ''] }) {
    const moved = await call((client) =>
      client.api.transfers.receiverAcceptTransfer({ path: { transfer_id }, body: { code } }),
    )
    out.show({ ids: moved }, () => `${moved.join(' ')} is yours.`)
  },
}

const cancel: Command = {
  name: 'transfer cancel',
  about: 'Take an offer back, or turn one down',
  parameters: ['<number>'],
  examples: ['emojid transfer cancel "$OTHER_TRANSFER"'],
  async run({ call, out }, { parameters: [transfer_id = ''] }) {
    await call((client) => client.api.transfers.deleteTransfer({ path: { transfer_id } }))
    out.show({ id: transfer_id, cancelled: true }, () => 'The offer is over.')
  },
}

export const transferCommands = [list, offer, confirm, accept, cancel]
