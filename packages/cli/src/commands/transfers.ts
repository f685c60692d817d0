import { parseTypedId } from '@emojid/sdk'
import { yes } from '../ask.ts'
import type { Command } from '../command.ts'
import { moment } from '../output.ts'

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
  about: 'List your outgoing and incoming transfers',
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
      none: 'No transfers.',
    })
  },
}

const offer: Command = {
  name: 'transfer',
  about: 'Transfer one of your ids to another person',
  parameters: ['<id>', '<email address or key>'],
  details:
    'We email you a code. Confirm with it: emojid transfer confirm. Then the recipient accepts.',
  options: {
    message: { type: 'string', value: 'text', about: 'a message to the recipient' },
    clear: { type: 'boolean', about: 'do not transfer records and stored data' },
    yes,
  },
  examples: ['emojid transfer 🦀🐙🍕 bert@example.com --yes'],
  async run({ call, ask, out }, { parameters: [typedText = '', receiver = ''], text, flag }) {
    const eid = parseTypedId(typedText)
    const isKey = /^[0-9a-f]{64}$/i.test(receiver)
    if (!flag('yes') && !(await ask.agrees(`Transfer ${eid} to ${receiver}?`))) {
      return out.show({ eid, offered: false }, () => 'Nothing was transferred.')
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
      `Confirm with the code from the email: emojid transfer confirm ${transfer.id} <code>`,
    ])
  },
}

const confirm: Command = {
  name: 'transfer confirm',
  about: 'Confirm a transfer with the code from the email',
  parameters: ['<transfer id>', '<code>'],
  examples: ['emojid transfer confirm "$TRANSFER" "$SENDER_CODE"'],
  async run({ call, out }, { parameters: [transfer_id = '', code = ''] }) {
    const transfer = await call((client) =>
      client.api.transfers.senderAcceptTransfer({ path: { transfer_id }, body: { code } }),
    )
    out.show(transfer, () => `Now ${transfer.email || 'the recipient'} can accept ${transfer.eid}.`)
  },
}

const accept: Command = {
  name: 'transfer accept',
  about: 'Accept an id with the code from the email',
  parameters: ['<transfer id>', '<code>'],
  options: {
    'without-token': {
      type: 'boolean',
      about: 'accept a minted id although its token does not come along',
    },
  },
  examples: ['emojid transfer accept "$INCOMING" "$RECEIVER_CODE"'],
  async run({ call, out }, { parameters: [transfer_id = '', code = ''], flag }) {
    const body = { code, without_token: flag('without-token') }
    const transfer = await call((client) =>
      client.api.transfers.receiverAcceptTransfer({ path: { transfer_id }, body }),
    )
    out.show({ ids: transfer }, () => `${transfer.join(' ')} is now yours.`)
  },
}

const cancel: Command = {
  name: 'transfer cancel',
  about: 'Cancel or decline a transfer',
  parameters: ['<transfer id>'],
  examples: ['emojid transfer cancel "$OTHER_TRANSFER"'],
  async run({ call, out }, { parameters: [transfer_id = ''] }) {
    await call((client) => client.api.transfers.deleteTransfer({ path: { transfer_id } }))
    out.show({ id: transfer_id, cancelled: true }, () => 'The transfer is cancelled.')
  },
}

export const transferCommands = [list, offer, confirm, accept, cancel]
